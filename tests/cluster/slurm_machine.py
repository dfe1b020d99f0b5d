"""Slurm on one machine, for tests: a controller and nodes of its own, on ports and in folders of
their own, as root and without systemd. Each node is a namespace of processes, so it can die as a
machine does. On two hosts (hosts.py) each has a network and a name of its own, too.

    with Slurm(folder) as slurm:
        slurm.run("sbatch", ...)
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

import hosts

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "unshare",
            "nsenter", "mount")

CONFIGURATION = """\
ClusterName=vialata
SlurmctldHost={controller}
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
# A task of a node that died waits this long before it runs again.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
TmpFS={folder}/tmp
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=6
KillWait=3
PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
# In the node's namespaces: it has a folder of its own for sockets, then it starts its daemon.
NODE = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'


def lacks():
    """Why Slurm cannot run here; empty if it can."""
    if os.geteuid() != 0:
        return "only root can start the nodes"
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        return "not installed: " + ", ".join(missing)
    tried = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", "--uts", "true"], capture_output=True)
    return "" if tried.returncode == 0 else "this machine allows no namespaces"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    def __init__(self, folder, cpus=2, on=None):
        self.folder = pathlib.Path(folder)
        self.names = hosts.NAMES
        self.cpus = cpus
        self.hosts = on
        self.daemons = {}
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))

    def words(self, host):
        """The words before a command that runs on a host."""
        return (self.hosts.words(host) if self.hosts
                else ["unshare", "--uts", "sh", "-c", hosts.NAMED, "sh", "-"])

    # ---- beginning and end ----

    def configure(self):
        ports = free_ports(len(self.names) + 1)
        host = socket.gethostname()
        text = CONFIGURATION.format(folder=self.folder, port=ports[0],
                                    controller=f"n1({hosts.address(0)})" if self.hosts
                                    else f"{host}(127.0.0.1)")
        for i, name in enumerate(self.names):
            place = (f"NodeAddr={hosts.address(i)}" if self.hosts
                     else f"NodeHostname={host} NodeAddr=127.0.0.1")
            text += f"NodeName={name} {place} Port={ports[i + 1]} CPUs={self.cpus}\n"
        (self.folder / "slurm.conf").write_text(text)
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        for name in ("state", "tmp", *(f"tmp-{node}" for node in self.names)):
            (self.folder / name).mkdir()

    def start(self, name, *words):
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out,
                                                  stderr=out, env=self.environment)

    def start_node(self, node):
        self.start(node, *self.words(node), "unshare", "--pid", "--fork", "--mount-proc",
                   "--kill-child", "sh", "-c", NODE, "sh", self.folder / f"tmp-{node}",
                   self.folder / "tmp", "slurmd", "-D", "-N", node)

    def __enter__(self):
        self.folder.chmod(0o755)
        self.configure()
        try:
            self.start("munged", "munged", "--foreground", "--force",
                       *(f"--{key}={self.folder}/munge.{key.split('-')[0]}"
                         for key in ("key-file", "socket", "pid-file", "log-file", "seed-file")))
            self.start("slurmctld", *self.words("n1"), "slurmctld", "-D")
            for node in self.names:
                self.start_node(node)
            self.wait_until_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_until_idle(self):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            seen = self.run("sinfo", "--noheader", "--Node", "--format=%T").stdout.split()
            if seen == ["idle"] * len(self.names):
                return
            time.sleep(0.5)
        raise RuntimeError("Slurm does not start:\n" + self.logs())

    def logs(self):
        return "\n".join(f"{path.name}: " + path.read_text(errors="replace")[-2000:]
                         for path in self.folder.glob("*.log"))

    def kill_node(self, node):
        """The node's daemon and all it runs end at once, without a word."""
        daemon = self.daemons.pop(node)
        first = pathlib.Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children").read_text().split()
        os.kill(int(first[0]) if first else daemon.pid, signal.SIGKILL)
        daemon.wait(timeout=20)

    def __exit__(self, *_):
        for node in [name for name in self.daemons if name in self.names]:
            self.kill_node(node)
        for daemon in self.daemons.values():
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons.clear()

    # ---- use ----

    def run(self, *words, **more):
        """A command on the first host, with a time limit."""
        return subprocess.run([*self.words("n1"), *words], text=True, capture_output=True,
                              timeout=more.pop("timeout", 600),
                              env=dict(self.environment, **more))

    def queue(self, form="%i %T %N"):
        return self.run("squeue", "--noheader", f"--format={form}").stdout.splitlines()
