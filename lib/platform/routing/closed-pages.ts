import { ShopError } from "@/lib/platform/errors";
import { isShopKnownClosed } from "@/lib/platform/process-state";
import { parsePath } from "./paths";
import { isPagePath } from "./routes";

/** In a closed shop, staff can sign in and work; every other page shows the notice. */
const OPEN_WHILE_CLOSED = ["/console", "/login"];
const RETRY_SECONDS = 300;

/** The notice that replaces a page while the shop is closed; undefined for pages that stay open. */
export function closedNotice(pathname: string): ShopError | undefined {
  if (!isShopKnownClosed() || !isPagePath(pathname)) return undefined;
  const { path } = parsePath(pathname);
  const isOpen = OPEN_WHILE_CLOSED.some((open) => path === open || path.startsWith(`${open}/`));
  return isOpen ? undefined : new ShopError("shop_closed", { params: { retryAfterSeconds: RETRY_SECONDS } });
}
