"""A headless Chromium, spoken to in its own protocol over two pipes: no port, no other library.

    with Browser() as browser:
        browser.go("file:///...")
        print(browser.ask("document.title"))

Whatever went wrong on a page while it was shown is collected in browser.faults. At the end of the
block nothing runs any more and the profile is gone, also after Ctrl-C.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

NAMES = ["chromium", "chromium-browser"]
MISSING = ("There is no Chromium here: install the Debian package chromium (./vialata selftest "
           "does), then repeat this.")
OPTIONS = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # root may not use it, a container has none; the pages shown are our own
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-breakpad",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # should a page ask for another host, none answers
    "about:blank",
]
OWN = ("file:", "data:", "blob:", "about:")  # whatever else is asked for comes from another host


class Gone(Exception):
    """The browser does not answer."""


class Left(Gone):
    """The page was left for another while it was asked."""


def program():
    """Chromium's path; without it no test of the book is passed over in silence."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or sys.exit(MISSING)


def on_own_pipes(command, fields):
    """Chromium reads its orders from descriptor 3 and answers on descriptor 4."""
    orders, write = os.pipe()
    read, answers = os.pipe()

    def place():
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (orders, answers)]
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    process = subprocess.Popen(command, preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL,
                               start_new_session=True, **fields)
    os.close(orders)
    os.close(answers)
    return process, read, write


class Browser:
    def __init__(self, patience=60):
        self.patience = patience  # seconds; a slow machine is not a fault
        self.faults = []  # (kind, sentence) since they were last taken
        self.number, self.buffer, self.seen, self.session = 0, b"", [], None
        self.process = self.profile = None
        self.at, self.asked = "about:blank", {}  # the page last gone to; what it asked for

    # ---- beginning and end ----

    def __enter__(self):
        command = [program()]
        # ctest and CI end a test with SIGTERM: then too everything is cleaned up.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
        self.profile = tempfile.mkdtemp(prefix="vialata-browser-")
        try:
            self.log = open(os.path.join(self.profile, "log"), "w+b")
            self.process, self.read, self.write = on_own_pipes(
                [*command, f"--user-data-dir={self.profile}/profile", *OPTIONS],
                {"stdout": self.log, "stderr": self.log,
                 "env": {**os.environ, "HOME": self.profile, "LC_ALL": "C.UTF-8"}})
            targets = self.call("Target.getTargets")["targetInfos"]
            page = next(target for target in targets if target["type"] == "page")
            self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                     flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process is not None:
            for end in (self.read, self.write):  # a browser whose pipe is closed ends by itself
                os.close(end)
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                pass
            try:
                os.killpg(self.process.pid, signal.SIGKILL)  # its own group, and nobody else's
            except ProcessLookupError:
                pass
            self.process.wait()
            self.log.close()
        for _attempt in range(50):  # its children may write until they too have noticed
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    # ---- orders and answers ----

    def call(self, method, **parameters):
        """Send an order and return its result."""
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if self.session is not None and not method.startswith("Target."):
            order["sessionId"] = self.session
        message = json.dumps(order).encode() + b"\0"
        try:
            while message:
                message = message[os.write(self.write, message):]
        except BrokenPipeError:
            self.give_up(method)
        end = time.monotonic() + self.patience
        while True:
            answer = self.receive(end, method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    said = answer["error"]["message"]
                    raise (Left if "navigated" in said else Gone)(f"{method}: {said}")
                return answer["result"]

    def receive(self, end, what):
        """One message; what happened on the page is noted on the way."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read], [], [], max(0, end - time.monotonic()))
            data = os.read(self.read, 1 << 20) if ready else b""
            if not data:
                self.give_up(what)
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if "method" in message:
            self.note(message["method"], message["params"])
        return message

    def give_up(self, what):
        self.log.seek(0)
        said = self.log.read().decode(errors="replace")[-2000:]
        raise Gone(f"{self.at}: Chromium did not answer to {what}. Its last words:\n{said}")

    def note(self, method, event):
        self.seen.append(method)
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            said = details.get("exception", {}).get("description", details["text"])
            self.faults.append(("console", f"an exception: {said.splitlines()[0]}"))
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            said = " ".join(str(word.get("value", word.get("description")))
                            for word in event["args"])
            self.faults.append(("console", f"the console says: {said}"))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            # A file that is missing is told by Network.loadingFailed too, and better.
            if event["entry"]["source"] != "network":
                self.faults.append(("console", f"the console says: {event['entry']['text']}"))
        elif method == "Network.requestWillBeSent":
            self.asked[event["requestId"]] = event["request"]["url"]
            if not event["request"]["url"].startswith(OWN):
                self.faults.append(("host", f"asks another host: {event['request']['url']}"))
        elif method == "Network.loadingFailed" and not event.get("canceled"):
            address = self.asked.get(event["requestId"], "?")
            if address.startswith(OWN):
                self.faults.append(("missing", f"not there: {address} ({event['errorText']})"))

    def take_faults(self):
        faults, self.faults = self.faults, []
        return faults

    # ---- pages ----

    def screen(self, width, height=800):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)

    def arrive(self, act):
        """Do what leads to another page, and wait until that has loaded."""
        self.seen, self.asked = [], {}
        act()
        end = time.monotonic() + self.patience
        while "Page.loadEventFired" not in self.seen:
            self.receive(end, "a page that should load")

    def go(self, address):
        self.at = address
        self.arrive(lambda: self.call("Page.navigate", url=address))

    def ask(self, expression):
        """The value of a JavaScript expression; of a promise, what it comes to."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise Gone(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def wait_for(self, expression, seconds):
        """What the expression says as soon as it is true; its last value after that time. A page
        that goes away while it is asked is no answer yet: the next one is asked."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.ask(expression)
            except Left:
                value = None
            if value or time.monotonic() > end:
                return value
            time.sleep(0.05)

    def press(self, selector):
        """A click of the mouse, as a person's: on what is at that place. False if something
        else stands there."""
        spot = self.ask("""(() => {
            const shown = [...document.querySelectorAll(%s)].filter((e) => e.checkVisibility());
            if (!shown.length) return null;
            shown[0].scrollIntoView({ block: "nearest", behavior: "instant" });
            const box = shown[0].getBoundingClientRect();
            const at = [box.x + box.width / 2, box.y + box.height / 2];
            const there = document.elementFromPoint(...at);
            return there && shown[0].contains(there) ? at : null;
        })()""" % json.dumps(selector))
        if spot is None:
            return False
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left",
                      clickCount=1)
        return True

    def write_and_enter(self, text):
        self.call("Input.insertText", text=text)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                      windowsVirtualKeyCode=13)
