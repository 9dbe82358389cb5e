import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadGoogle } from "@/components/accounts/sign-in/google-script";

type Script = { src: string; onload?: () => void; onerror?: () => void; remove: () => void };
const scripts: Script[] = [];
const google = { accounts: { id: { initialize() {}, renderButton() {} } } };

beforeEach(() => {
  vi.useFakeTimers();
  scripts.length = 0;
  const createElement = () => {
    const script: Script = { src: "", remove: vi.fn() };
    scripts.push(script);
    return script;
  };
  vi.stubGlobal("document", { createElement, head: { append() {} } });
  vi.stubGlobal("window", {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("loadGoogle fails after 60 seconds and can be called again", async () => {
  const url = "https://accounts.google.com/gsi/client";
  const settled = vi.fn();
  loadGoogle(url).then(settled, () => settled("failed"));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledWith("failed");
  expect(scripts[0]?.remove).toHaveBeenCalled();

  const failing = loadGoogle(url);
  scripts[1]?.onerror?.();
  await expect(failing).rejects.toThrow();

  const [first, second] = [loadGoogle(url), loadGoogle(url)];
  vi.stubGlobal("window", { google });
  scripts[2]?.onload?.();
  expect(await first).toBe(google.accounts.id);
  expect(await second).toBe(google.accounts.id);
  expect(scripts.map(({ src }) => src)).toEqual([url, url, url]);
});
