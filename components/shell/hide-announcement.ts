import { hasServerClock, serverNow } from "@/components/ui/server-clock";
import { CLOSED_ANNOUNCEMENT_KEY } from "@/lib/platform/pages/head-script";

/** Hides the banner. React does not set this attribute, so that it stays when the page renders again. */
function hide(id: string): void {
  const banner = document.getElementById(id);
  if (banner) banner.hidden = true;
}

/** Hides an announcement that this browser has closed before, or at its end. Returns what stops watching. */
export function watchAnnouncement(id: string, endsAt: number): () => void {
  if (readClosed() === id) hide(id);
  const timer = setInterval(() => {
    if (hasServerClock() && serverNow() >= endsAt) hide(id);
  }, 1000);
  return () => clearInterval(timer);
}

/** Hides an announcement and keeps that in this browser. */
export function closeAnnouncement(id: string): void {
  storeClosed(id);
  hide(id);
}

function readClosed(): string | null {
  try {
    return localStorage.getItem(CLOSED_ANNOUNCEMENT_KEY);
  } catch {
    return null; // storage may be blocked
  }
}

function storeClosed(id: string): void {
  try {
    localStorage.setItem(CLOSED_ANNOUNCEMENT_KEY, id);
  } catch {
    // Storage may be blocked. The message then stays closed on this page only.
  }
}
