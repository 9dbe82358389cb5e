const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** What a list of sessions calls a device, from its User-Agent: "Firefox, Windows", or the agent's first word. */
export function deviceName(userAgent: string | null | undefined): string {
  const agent = userAgent?.trim() ?? "";
  const names = [BROWSERS, SYSTEMS].map((list) => list.find(([pattern]) => pattern.test(agent))?.[1]);
  const known = names.filter(Boolean).join(", ");
  return known || agent.split(/[\s/]/, 1)[0]?.slice(0, 60) || "unknown";
}
