"""A terminal that a test sits at: what a program shows, as its screen would be, and keys."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    def __init__(self, words, environment, folder, columns=90):
        self.text, self.status = "", None
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(words[0], words, {"TERM": "xterm", **environment})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self.modes = termios.tcgetattr(self.descriptor)

    def take(self, seconds=0.05):
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.descriptor, 65536)
        except OSError:  # nobody is at the other end any more
            data = b""
        self.text += data.decode("utf-8", "replace")
        return bool(data)

    def screen(self):
        """Since the screen was last cleared; of a line that is drawn again, the last form."""
        text = SEQUENCE.sub("", self.text.rsplit("\x1b[2J", 1)[-1]).replace("\r\n", "\n")
        return "\n".join(line.rsplit("\r", 1)[-1] for line in text.split("\n"))

    def words(self):
        return " ".join(self.screen().split())

    def wait(self, pattern, seconds=60):
        """Until it is on the screen (words, blanks as one)."""
        until = time.monotonic() + seconds
        while not re.search(pattern, self.words()):
            alive = self.take()
            assert time.monotonic() < until and (alive or re.search(pattern, self.words())), \
                (pattern, self.screen())
        return self.screen()

    def forget(self):
        """What has been shown so far."""
        while self.take(0) and select.select([self.descriptor], [], [], 0)[0]:
            pass
        self.text = ""

    def press(self, keys):
        os.write(self.descriptor, keys.encode())

    def end(self, seconds=20):
        """The exit status, once it has ended by itself; minus the signal."""
        until = time.monotonic() + seconds
        while self.take():
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
                break
            assert time.monotonic() < until, self.screen()
        if self.status is None:
            self.status = os.waitpid(self.pid, 0)[1]
        while self.take(0):
            if not select.select([self.descriptor], [], [], 0)[0]:
                break
        self.pid = None
        return os.waitstatus_to_exitcode(self.status)

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGTERM)
            self.end()
        os.close(self.descriptor)
