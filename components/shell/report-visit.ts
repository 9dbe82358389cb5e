import { beacon } from "@/lib/platform/api/light-client";
import { declinesTracking } from "@/lib/platform/routing/attribution";
import { hideSecrets } from "@/lib/platform/routing/hide-secrets";
import { isMobileAgent } from "@/lib/platform/routing/paths";

type Hints = Navigator & { userAgentData?: { model?: string } };

/** The device model from the client hints, or the user agent's platform such as "Linux; Android 13; Pixel 7". */
export const deviceModel = () =>
  (navigator as Hints).userAgentData?.model ||
  /\(([^)]*)\)/.exec(navigator.userAgent)?.[1]?.slice(0, 120) ||
  "";

/** Reports a visit of a path, also of a page that is being left. */
export function reportVisit(pathname: string): void {
  if (declinesTracking()) return;
  void beacon("/visit/record", {
    ip_address: "",
    visit_device_type: isMobileAgent(navigator.userAgent) ? "mobile" : "desktop",
    browser_language: navigator.language,
    visit_device_model: deviceModel(),
    page_url: hideSecrets(pathname),
  });
}
