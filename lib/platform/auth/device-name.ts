import Bowser from "bowser";

/** A device's name from its User-Agent: "Firefox, Windows", or the agent's first word. */
export function deviceName(userAgent: string | null | undefined): string {
  const agent = userAgent?.trim() || "unknown";
  const { browser, os } = Bowser.parse(agent);
  return [browser.name, os.name].filter(Boolean).join(", ") || agent.split(/[\s/]/, 1)[0]!.slice(0, 60);
}
