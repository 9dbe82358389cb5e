import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { bin, heartbeat, run } from "../start/run.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macChrome = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * The browser for the tests: PLAYWRIGHT_CHROMIUM_PATH, Playwright's download or the system's; undefined if none exists.
 * `isUsable` skips broken candidates.
 */
export async function findBrowser(isUsable = () => true) {
  const { chromium } = await import("@playwright/test");
  const configured = process.env.PLAYWRIGHT_CHROMIUM_PATH;
  const candidates = [configured, chromium.executablePath(), ...names.map(lookUp), macChrome];
  return candidates.find((path) => path && existsSync(path) && isUsable(path));
}

/** Finds a browser that starts, or downloads one; undefined, with a hint what to install, when neither succeeds. */
export async function ensureBrowser() {
  const path = (await findBrowser(starts)) ?? (await downloadBrowser());
  if (!path) {
    console.error(
      "No Chromium was found and none could be downloaded: install one (Debian: apt-get install chromium fonts-noto-cjk), or set PLAYWRIGHT_CHROMIUM_PATH to one.",
    );
    return undefined;
  }
  if (!hasJapaneseFont() && !(mayUseApt() && (await aptInstall(["fonts-noto-cjk"])))) {
    console.warn(
      "No font for Chinese and Japanese was found: screenshots will show boxes (Debian: fonts-noto-cjk).",
    );
  }
  return path;
}

async function downloadBrowser() {
  console.log("No Chromium found: downloading Playwright's …");
  const stop = heartbeat(() => "downloading a browser");
  await run(bin("playwright"), ["install", "chromium"], { limitMinutes: 6, group: true, onLine: () => {} });
  stop();
  const downloaded = await findBrowser(starts);
  if (downloaded || !mayUseApt()) return downloaded;
  console.log("Playwright's download failed: installing the system's Chromium …");
  await aptInstall(["chromium", "fonts-noto-cjk"]);
  return findBrowser(starts);
}

function starts(path) {
  return spawnSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 }).status === 0;
}

function mayUseApt() {
  return process.getuid?.() === 0 && lookUp("apt-get") !== undefined;
}

async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const quiet = { env, limitMinutes: 15, group: true };
  await run("apt-get", ["update", "-q"], quiet);
  return (await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...packages], quiet)) === 0;
}

function hasJapaneseFont() {
  if (process.platform !== "linux") return true;
  try {
    return execFileSync("fc-list", [":lang=ja"], { encoding: "utf8" }).trim() !== "";
  } catch {
    return false;
  }
}

function lookUp(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    });
}
