import { api } from "@/lib/platform/api/client";
import { beginning } from "@/lib/platform/beginning";
import {
  declinesTracking,
  parseAttribution,
  readAttribution,
  removeAttribution,
} from "@/lib/platform/routing/attribution";
import { isMobileAgent, parsePath } from "@/lib/platform/routing/paths";
import { takeSourceWindow } from "@/lib/platform/routing/stored-attribution";
import { deviceModel, reportVisit } from "./report-visit";

let searched = "";

const isMobile = () => isMobileAgent(navigator.userAgent);
const isOrderPath = (path: string) => path === "/checkout" || path.startsWith("/payment/");

/** Reports visit, search and source of a page (docs/product.md#46-source-tracking). Failures are ignored. */
export function reportPage(address: string): void {
  const { pathname, searchParams: query } = new URL(address, location.origin);
  const { path } = parsePath(pathname);
  recordSearch(path, query);
  reportVisit(pathname);
  if (declinesTracking()) return;
  reportSource(path, query);
  void refreshSource();
}

/** Records a search when its results are shown, once for the same keyword. */
function recordSearch(path: string, query: URLSearchParams): void {
  const keyword = beginning(query.get("q")?.trim() ?? "", 200);
  if (path !== "/search" && path !== "/search-results") {
    searched = "";
    return;
  }
  if (keyword === "" || keyword === searched) return;
  searched = keyword;
  api.beacon("/search/record/manage", {
    user_id: "",
    search_content: keyword,
    search_device_type: isMobile() ? "phone" : "computer",
    search_time: new Date().toISOString(),
    browser_language: navigator.language,
    country_region: new Intl.Locale(navigator.language).region ?? "",
    search_device_model: deviceModel(),
  });
}

/** Reports only URLs with tracking parameters, at most once every two seconds in all documents and tabs. */
function reportSource(path: string, query: URLSearchParams): void {
  const source = readAttribution();
  if (!parseAttribution(query) || !source || !takeSourceWindow("reportedAt")) return;
  const { id, tracking, landingPage, referrer, timestamp } = source;
  api.beacon("/tracking/source-tracking", {
    event_type: isOrderPath(path) ? "order" : "visit",
    landingPage,
    referrer,
    marketingUserId: id,
    tracking_id: tracking,
    timestamp,
    user_id: "",
    orderId: isOrderPath(path) ? query.get("order_id") : undefined,
  });
}

/** Renews the visitor's source. An expired source is deleted (docs/product.md#46-source-tracking). */
async function refreshSource(): Promise<void> {
  const source = readAttribution();
  if (!source) return removeAttribution();
  if (!takeSourceWindow("renewedAt")) return;
  const { id, tracking, timestamp } = source;
  const result = await api.beacon("/tracking/source-refresh", {
    marketingUserId: id,
    tracking_id: tracking,
    timestamp,
    user_id: "",
  });
  if (result?.live === false) removeAttribution();
}
