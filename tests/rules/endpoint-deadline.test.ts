import { afterEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { endpoint } from "@/lib/platform/api/endpoint";

afterEach(() => vi.useRealTimers());

it("an endpoint responds 504 when its handler does not end within 60 seconds", async () => {
  vi.useFakeTimers();
  const neverEnding = endpoint(
    { summary: "Endless", access: "public", result: z.null(), errors: [] },
    () => new Promise<null>(() => {}),
  );
  const pending = neverEnding(new Request("http://localhost/api/v1/endless"));
  await vi.advanceTimersByTimeAsync(59_900);
  const state = await Promise.race([pending.then(() => "answered"), Promise.resolve("waiting")]);
  expect(state).toBe("waiting");
  await vi.advanceTimersByTimeAsync(200);
  const response = await pending;
  expect([response.status, (await response.json()).code]).toEqual([504, "504"]);
});
