"""Two hosts on one machine, for tests: namespaces with a network and a name each, and a wire
between them."""
import os
import pathlib
import shutil
import signal
import subprocess

PROGRAMS = ("ip", "unshare", "nsenter", "hostname")
NAMES = ("n1", "n2")
NAMED = '[ "$1" = - ] || hostname "$1"; shift; exec "$@"'


def address(i):
    return f"10.79.0.{i + 1}"


def lacks():
    """Why there can be no two hosts here; empty if there can."""
    if os.geteuid() != 0:
        return "only root can make hosts"
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return "not installed: " + ", ".join(missing)
    name = f"vltry{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True)
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return "" if made.returncode == 0 else "this machine allows no namespaces"


class Hosts:
    def __init__(self):
        self.made = []

    def network(self, host):
        return f"vlhosts{os.getpid() % 100000}{host}"

    def words(self, host):
        """The words before a command that runs on a host."""
        return ["nsenter", f"--net=/run/netns/{self.network(host)}", "unshare", "--uts", "sh", "-c",
                NAMED, "sh", host]

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self):
        for host in NAMES:
            subprocess.run(["ip", "netns", "add", self.network(host)], check=True)
            self.made.append(self.network(host))
        subprocess.run(["ip", "link", "add", "eth0", "netns", self.made[0], "type", "veth",
                        "peer", "name", "eth0", "netns", self.made[1]], check=True)
        for i, network in enumerate(self.made):
            for words in (["link", "set", "lo", "up"], ["link", "set", "eth0", "up"],
                          ["addr", "add", f"{address(i)}/24", "dev", "eth0"]):
                subprocess.run(["ip", "-n", network, *words], check=True)

    def agent(self, folder):
        """A program that mpirun can start in place of ssh."""
        path = pathlib.Path(folder) / "agent"
        path.write_text("#!/bin/sh\nhost=$1\nshift\n"
                        f"exec nsenter --net=/run/netns/{self.network('')}\"$host\" unshare --uts "
                        f"sh -c '{NAMED}' sh \"$host\" sh -c \"$*\"\n")
        path.chmod(0o755)
        return path

    def bytes_between(self):
        """What the second host has received so far."""
        text = subprocess.run([*self.words("n2"), "cat", "/proc/net/dev"], text=True,
                              capture_output=True, check=True).stdout
        return int(next(line.split()[1] for line in text.splitlines() if "eth0" in line))

    def running(self):
        return [pid for network in self.made
                for pid in subprocess.run(["ip", "netns", "pids", network], text=True,
                                          capture_output=True).stdout.split()]

    def __exit__(self, *_):
        for pid in self.running():
            os.kill(int(pid), signal.SIGKILL)
        for network in self.made:
            subprocess.run(["ip", "netns", "del", network])
        self.made.clear()
