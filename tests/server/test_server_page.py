# SPDX-License-Identifier: Apache-2.0
"""The page that comes with the program, and what a build without Node has in its place."""
import gzip
import os
import shutil
import subprocess
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def fetch(address, path=""):
    root = address.split("?")[0]
    request = urllib.request.Request(root + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        return gzip.decompress(answer.read()).decode(), answer.headers


def test_the_page_is_served(start, boxes):
    page, headers = fetch(start("run", boxes).address)
    assert headers["Content-Type"].startswith("text/html")
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "<title>" in page


def test_without_the_page_a_browser_is_told_how_to_get_it():
    program = subprocess.Popen([os.environ["WITHOUT_PAGE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        address, has = program.stdout.readline().split(" ", 1)
        assert has.strip() == "has no page"
        page, headers = fetch(address)
        assert headers["Content-Type"].startswith("text/html")
        assert "nodejs npm" in page and "make" in page and "--headless" in page
    finally:
        program.communicate(timeout=60)
    assert program.returncode == 0


def test_a_build_without_node_goes_on_without_the_page(tmp_path):
    """tools/page.sh where there is no node: it says so, makes nothing, and nothing fails."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "page.sh", tmp_path / "tools")
    web = tmp_path / "web"
    shutil.copytree(ROOT / "web" / "src", web / "src")
    for name in ("build.mjs", "package.json", "package-lock.json"):
        shutil.copy(ROOT / "web" / name, web)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "find", "mktemp", "rm", "tail", "cat"):  # all that it needs but node and npm
        os.symlink(shutil.which(name), tools / name)
    done = subprocess.run(
        [tools / "bash", tmp_path / "tools" / "page.sh"], env={"PATH": str(tools)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "node is missing" in done.stderr and "without its page" in done.stderr
    assert not (web / "dist").exists()
