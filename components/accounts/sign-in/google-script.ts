"use client";

/** The parts used of developers.google.com/identity/gsi/web/reference/js-reference. */
export type GoogleId = {
  initialize(settings: {
    client_id: string;
    nonce: string;
    ux_mode: "popup";
    callback: (result: { credential: string }) => void;
  }): void;
  renderButton(place: HTMLElement, look: Record<string, string | number>): void;
};

declare global {
  interface Window {
    google?: { accounts?: { id?: GoogleId } };
  }
}

/** Timeout for loading the script (docs/product.md#10-constants), in milliseconds. */
const SCRIPT_TIMEOUT_MS = 60_000;

let loading: Promise<GoogleId> | undefined;

/** Loads Google's script once. A failed load can be retried. Rejects on timeout. */
export function loadGoogle(url: string): Promise<GoogleId> {
  loading ??= load(url).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function load(url: string): Promise<GoogleId> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const fail = () => {
      clearTimeout(timer);
      script.remove();
      reject(new Error("Google's script did not load"));
    };
    const timer = setTimeout(fail, SCRIPT_TIMEOUT_MS);
    script.src = url;
    script.async = true;
    script.onerror = fail;
    script.onload = () => {
      const id = window.google?.accounts?.id;
      if (!id) return fail();
      clearTimeout(timer);
      resolve(id);
    };
    document.head.append(script);
  });
}
