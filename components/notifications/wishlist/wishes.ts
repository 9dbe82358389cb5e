import { useEffect, useSyncExternalStore } from "react";
import { createBrowserList } from "@/components/ui/browser-list";
import { WISHES_MAX } from "@/lib/notifications/rules";
import { api } from "@/lib/platform/api/client";

/** The wishlist of a guest: products by number, last saved first, in this browser until a sign-in. */
const kept = createBrowserList<number>("wishlist", {
  max: WISHES_MAX,
  parse: (id) => (typeof id === "number" && Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null),
});

const NONE: readonly number[] = [];
/** The wishlist of the account, once it is read; it is never stored in the browser. */
let own: readonly number[] | null = null;
let reading: Promise<void> | null = null;
const listeners = new Set<() => void>();

function publish(ids: readonly number[] | null): void {
  own = ids;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Reads the account's wishlist once in this document, and first adds what the browser kept for a guest. */
function readOwn(): Promise<void> {
  reading ??= mergeAndRead().catch(() => {
    // The list counts as empty until it can be read; a press then shows the error.
    reading = null;
    publish(own ?? NONE);
  });
  return reading;
}

async function mergeAndRead(): Promise<void> {
  const guest = kept.entries();
  if (guest.length > 0) {
    const merged = await api.post("/wishlist/merge", { product_ids: [...guest] });
    if (!merged.ok) throw new Error(merged.message);
    kept.clear();
    return publish(merged.data.product_ids);
  }
  const list = await api.get("/wishlist/list");
  if (!list.ok) throw new Error(list.message);
  publish(list.data.items.map(({ product_id }) => product_id));
}

/** What the browser keeps for a guest. */
export const useKeptWishes = kept.useEntries;

/** Adds what the browser kept for a guest to the account of the new session. True when anything was added. */
export async function mergeWishes(): Promise<boolean> {
  const any = kept.entries().length > 0;
  await readOwn();
  return any && own !== null;
}

/**
 * The products on the wishlist of this reader: the account's when signed in, else the browser's. null until they are known.
 * `signedIn`: undefined until the session is known.
 */
export function useWishes(signedIn: boolean | undefined): readonly number[] | null {
  const guest = kept.useEntries();
  const account = useSyncExternalStore(
    subscribe,
    () => own,
    () => null,
  );
  useEffect(() => {
    if (signedIn) void readOwn();
    else if (signedIn === false && own) {
      // The session ended: the next one reads its own list.
      reading = null;
      publish(null);
    }
  }, [signedIn]);
  return signedIn === undefined ? null : signedIn ? account : guest;
}

/** Saves or removes a product. Resolves with the message of a refusal; the list then stays as it was. */
export async function changeWish(
  productId: number,
  { saved, signedIn, network }: { saved: boolean; signedIn: boolean; network: string },
): Promise<string | null> {
  const change = (ids: readonly number[]) => {
    const others = ids.filter((id) => id !== productId);
    return saved ? [productId, ...others] : others;
  };
  if (!signedIn) {
    kept.store(change(kept.entries()));
    return null;
  }
  await readOwn();
  const before = own ?? NONE;
  publish(change(before));
  const path = saved ? "/wishlist/add" : "/wishlist/remove";
  const result = await api.post(path, { product_id: productId }, { networkMessage: network });
  publish(result.ok ? result.data.product_ids : before);
  return result.ok ? null : result.message;
}
