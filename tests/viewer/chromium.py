"""Debian's Chromium without a display, with software WebGL, and the tests' queries of a page."""

from __future__ import annotations

import io
import json
import re
import shutil
import time
from urllib.parse import urlparse

import numpy as np
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# s, until what a test waits for must have come: WebGL by software beside the other work of a busy machine takes tens of seconds
# for what it draws first. Nothing waits longer than it has to.
PATIENCE = 300.0

FLAGS = (
    *("--headless=new", "--no-sandbox", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage"),
    *("--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-gl=angle", "--use-angle=swiftshader"),
)

# What is said whatever is shown: by the browser of its WebGL by software, by three.js of itself, and, as an error, of
# viser's listener for the mouse, at every press on whatever can be dragged (viser 1.1; a lone box of its own, too), and of
# updates of a panel that arrive with its removal, which it applies after that. Where a batch gets another mesh or material,
# viser disposes of the old one, whose index of instances goes at once, before React takes it from the scene: a frame between the
# two draws it without that index, WebGL says that "vertex shader input type does not match" and leaves it out of that frame.
OWN_COMPLAINTS = (
    "Automatic fallback to software WebGL has been deprecated",
    "GL Driver Message",
    "Vertex shader input type does not match the type of the bound vertex attribute",
    "KHR_parallel_shader_compile extension not supported",
    "THREE.Clock: This module has been deprecated",
    "Unable to preventDefault inside passive event listener invocation",
    "Tried to update non-existent component",
)


def programs():
    """Browser and driver, or None where one is missing."""
    found = shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")
    return found if all(found) else None


class Chromium:
    """A browser with one page; leave it by `close`."""

    def __init__(self, width=900, height=600, downloads=None):
        browser, driver = programs()
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in (*FLAGS, f"--window-size={width},{height}"):
            options.add_argument(flag)
        if downloads is not None:
            options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        self.downloads = downloads
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)
        self._requests = set()
        self._complaints = []

    def open(self, url):
        self.driver.get(url)

    def close(self):
        self.driver.quit()

    @property
    def text(self):
        """Everything that can be read on the page."""
        return self.driver.execute_script("return document.body.innerText")

    @property
    def time(self):
        """The simulation's time as the page shows it, s; -1 while it shows none."""
        found = re.search(r"(\d+\.\d\d) s\b", self.text)
        return float(found[1]) if found else -1.0

    def steady(self, look, tolerance=0.0):
        """What a function sees on the page, numbers, once it sees the same twice: what comes late has come."""
        seen = [look()]

        def same(_):
            time.sleep(0.5)
            seen.append(look())
            before, now = map(np.asarray, seen[-2:])
            return before.shape == now.shape and np.abs(before - now).max() <= tolerance

        WebDriverWait(self.driver, PATIENCE).until(same)
        return seen[-1]

    def once(self, find):
        """What a function finds on the page, as soon as it does: whatever is not there yet, or is being exchanged, may come."""
        missing = (StaleElementReferenceException, NoSuchElementException, StopIteration)
        return WebDriverWait(self.driver, PATIENCE, ignored_exceptions=missing).until(lambda driver: find())

    def press(self, text):
        """Click on the button with this text, as soon as there is one."""
        self.once(lambda: self._shown(self.driver.find_elements(By.TAG_NAME, "button"), text)).click()

    def press_option(self, text):
        """Click on the button of a group with this text, as soon as there is one."""
        path = f"//*[normalize-space(text())='{text}']"
        self.once(lambda: self._shown(self.driver.find_elements(By.XPATH, path))).click()

    @staticmethod
    def _shown(elements, text=None):
        return next(e for e in elements if (text is None or e.text.strip() == text) and e.is_displayed())

    def key(self, name):
        """Press a key: a letter, "space" or "escape"."""
        keys = {"space": " ", "escape": Keys.ESCAPE}
        ActionChains(self.driver).send_keys(keys.get(name, name)).perform()

    def slide(self, label, part):
        """Click on the track of the slider with this label, at a part of its length."""
        track = self.once(lambda: self._track(label))
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", track)
        offset = int((part - 0.5) * track.size["width"])
        mouse = ActionChains(self.driver, duration=30).move_to_element_with_offset(track, offset - 5, 0)
        mouse.click_and_hold().move_by_offset(5, 0).release().perform()

    def _track(self, label):
        name = self.driver.find_element(By.XPATH, f"//label[normalize-space()='{label}']").get_attribute("for")
        return self.driver.find_element(By.ID, name).find_element(By.CSS_SELECTOR, ".mantine-Slider-track")

    def choose(self, label, value):
        """Choose from the list with this label."""
        path = f"//label[normalize-space()='{label}']/following::input[1]"
        field = self.once(lambda: self.driver.find_element(By.XPATH, path))
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(value)
        option = f"//*[@role='option'][normalize-space()='{value}']"
        self.once(lambda: self._shown(self.driver.find_elements(By.XPATH, option))).click()

    def tick(self, label):
        """Click on the box with this label."""
        boxes = self.once(lambda: self._boxes(label))
        self.driver.execute_script("arguments[0].click()", boxes[0])

    def _boxes(self, label):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('input[type=checkbox]')].filter("
            "box => { let at = box; for (let k = 0; k < 6; k++) { at = at.parentElement;"
            " if (at.innerText.trim()) return at.innerText.trim() === arguments[0]; } })",
            label,
        )

    def close_notes(self):
        """Reset what the browser is told about software WebGL."""
        self.driver.execute_script(
            "document.querySelectorAll('.mantine-Notification-closeButton').forEach(button => button.click())"
        )

    def screen(self):
        """All that is seen, as an array (height, width, 3); the browser may be too busy at first."""
        taken = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=(TimeoutException,)).until(
            lambda driver: driver.get_screenshot_as_png()
        )
        return np.asarray(Image.open(io.BytesIO(taken)).convert("RGB")).astype(int)

    def picture(self):
        """What is seen of the scene, left of the panel and below what lies over it."""
        whole = self.screen()
        return whole[150:, : whole.shape[1] * 5 // 9]

    # -- the mouse -------------------------------------------------------------------------------------------------

    def where(self, camera, point):
        """The pixel, from the top left of the page, in which viser's camera sees a point (3,) of the world."""
        w, x, y, z = camera.wxyz
        turn = np.array(
            [
                (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
                (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
                (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
            ]
        )
        right, down, ahead = turn.T @ (np.asarray(point) - camera.position)
        canvas = self._canvas().rect
        focal = 0.5 * canvas["height"] / np.tan(0.5 * camera.fov)
        middle = np.array((canvas["x"] + 0.5 * canvas["width"], canvas["y"] + 0.5 * canvas["height"]))
        return middle + focal / ahead * np.array((right, down))

    def _canvas(self):
        found = self.driver.find_elements(By.TAG_NAME, "canvas")
        return max(found, key=lambda canvas: canvas.rect["width"] * canvas.rect["height"])

    def mouse(self):
        """Actions of the mouse, from the top left of the page."""
        return ActionChains(self.driver, duration=30)

    def watch_mouse(self):
        """Note what the mouse does to the page from now on."""
        self.driver.execute_script(
            "window.mouseEvents = [];"
            "for (const kind of ['pointerdown', 'pointerup', 'pointercancel', 'blur'])"
            " window.addEventListener(kind, event => window.mouseEvents.push("
            "`${kind} at ${event.clientX}, ${event.clientY} on ${event.target.tagName}`), true)"
        )

    def mouse_events(self):
        """What has been noted of the mouse."""
        return self.driver.execute_script("return window.mouseEvents")

    # -- what went wrong -------------------------------------------------------------------------------------------

    def complaints(self):
        """Warnings and errors on the console so far, but for those that come whatever is shown."""
        self._complaints += [
            f"{entry['level']}: {entry['message']}"
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE") and not any(own in entry["message"] for own in OWN_COMPLAINTS)
        ]
        return self._complaints

    def hosts(self):
        """Every host that the page has contacted, by HTTP or by a web socket."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self._requests.add(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                self._requests.add(message["params"]["url"])
        urls = [urlparse(url) for url in self._requests]
        return {url.hostname for url in urls if url.scheme not in ("data", "blob", "chrome", "about")}
