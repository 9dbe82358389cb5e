import type { Previewable } from "@/lib/platform/api/preview";
import { Effect } from "./contract";
import { previewEffects } from "./preview-effects";

/** Declares that a call can say what it would do: `previewable: effects`. */
export const effects: Previewable<typeof Effect> = { effect: Effect, find: previewEffects };

/** The same, with effects that the result of the action says. */
export const effectsWith = <T>(said: (result: T) => Effect[]): Previewable<typeof Effect> => ({
  effect: Effect,
  async find(action) {
    const found: Effect[] = [];
    const done = await previewEffects(async () => {
      found.splice(0, Infinity, ...said((await action()) as T));
    });
    return [...found, ...done];
  },
});
