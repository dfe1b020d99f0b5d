"""What checks of two hosts share: whether this machine lets us make them, and what is left of them.
"""
import os
import shutil
import subprocess


def namespaces():
    run = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True)
    return {line.split()[0] for line in run.stdout.splitlines() if line.startswith("vl")}


def may_make_them():
    """Namespaces and a rate limit: a container often has one and not the other."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("tc"):
        return False
    name = f"vltry{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    limit = ["tc", "-n", name, "qdisc", "add", "dev", "lo", "root", "tbf", "rate", "1gbit",
             "burst", "256kb", "latency", "50ms"]
    limited = made and subprocess.run(limit, capture_output=True).returncode == 0
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return limited
