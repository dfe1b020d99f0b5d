#!/usr/bin/env python3
"""The package of Debian's, in the long suite, as root: built for any processor, installed with what it asks for into
a Debian that has nothing else (debootstrap), where tour, start, grade, book and doctor work without the sources."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from share import LONG

ROOT = pathlib.Path(os.environ["VIALATA_ROOT"])
SKIPPED = 77
# What a person types there. "solutions" is what the package brings along.
INSIDE = """set -e
export HOME=/root LANG=C.UTF-8 TERM=dumb
for tool in cmake ninja sphinx-build; do ! command -v $tool || { echo "$tool is not needed"; exit 1; }; done
vialata doctor
vialata tour </dev/null >/tmp/tour 2>&1 || { tail -n 40 /tmp/tour; exit 1; }
grep -q "Score: 100 out of 100" /tmp/tour
grep -qx "    vialata start 01" /tmp/tour
vialata start 01
cp /usr/share/vialata/solutions/01_training_step/* /root/vialata-work/01_training_step/
vialata grade 01 --no-speed | tee /tmp/grade | tail -n 3
grep -q "Score: 75 out of 75" /tmp/grade
for language in en fr pt es sk; do
    vialata explain 01 --lang $language | grep -q .
    test -f "$(vialata book --no-open --lang $language)"
done
"""


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout[-4000:]}")
    return done.stdout


def mirror():
    """Where this machine's own packages are from."""
    lines = run("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)").split("\n")
    return next(line.split() for line in lines if re.search(r"/debian/? \w+$", line))


def make_root(folder):
    site, release = mirror()
    run("debootstrap", "--variant=minbase", release, folder, site)
    for name in ("resolv.conf", "hosts"):
        shutil.copy(f"/etc/{name}", folder / "etc")
    for name in ("apt.conf.d", "sources.list.d"):
        shutil.copytree(f"/etc/apt/{name}", folder / "etc/apt" / name, dirs_exist_ok=True)


def main():
    if not LONG or os.geteuid() != 0 or shutil.which("debootstrap") is None or shutil.which("apt-get") is None:
        print("in the long suite, as root, with debootstrap")
        return SKIPPED
    build = pathlib.Path(os.environ["VIALATA_PLACE"]).parent / "package"
    run("cmake", "-S", ROOT, "-B", build, "--preset", "package")
    run("cmake", "--build", build, "--target", "deb")
    package = max((build / "package").glob("*.deb"), key=os.path.getmtime)
    if "march=native" in (build / "installed/buildinfo.json").read_text():
        sys.exit("the package is for this processor alone")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="vialata-root-", dir=os.environ.get("TMPDIR", "/var/tmp")))
    folder.chmod(0o755)  # it becomes /, and not only root lives there
    mounts = [("proc", "proc"), ("sysfs", "sys"), ("tmpfs", "tmp"), ("devtmpfs", "dev")]
    try:
        make_root(folder)
        for kind, name in mounts:
            run("mount", "-t", kind, kind, folder / name)
        shutil.copy(package, folder / "root")
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"}
        run("chroot", folder, "apt-get", "update", env=environment)
        run("chroot", folder, "apt-get", "install", "-y", "--no-install-recommends", f"/root/{package.name}",
            env=environment)
        print(run("chroot", folder, "sh", "-c", INSIDE, env=environment))
    finally:
        for _, name in reversed(mounts):
            subprocess.run(["umount", "-l", folder / name], stderr=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{package.name}, {package.stat().st_size >> 20} MiB, works where nothing else is")
    return 0


if __name__ == "__main__":
    sys.exit(main())
