import lighthouse, { type Config, desktopConfig, type Flags } from "lighthouse";
import { BARS, type Visit } from "./pages-kinds";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof CATEGORIES)[number];

export type LighthouseResult = {
  scores: Record<Category, number>;
  /** Bars that do not hold, and failed audits. */
  problems: string[];
};

const performanceBar = ({ surface }: Visit) => BARS.performance[surface];

/**
 * Runs Lighthouse on one page with the preset of its surface. Below the bar it runs twice more and the median counts,
 * because a busy machine lowers the score.
 */
export async function runLighthouse(visit: Visit, port: number, cookie: string): Promise<LighthouseResult> {
  const first = await runOnce(visit, port, cookie);
  if (first.scores.performance >= performanceBar(visit)) return first;
  const runs = [first, await runOnce(visit, port, cookie), await runOnce(visit, port, cookie)];
  return runs.sort((a, b) => a.scores.performance - b.scores.performance)[1] ?? first;
}

/** A failed trace (e.g. NO_NAVSTART) is repeated. */
const TRIES = 3;

async function runOnce(visit: Visit, port: number, cookie: string, tries = TRIES): Promise<LighthouseResult> {
  const flags: Flags = {
    port,
    output: "json",
    logLevel: "error",
    onlyCategories: [...CATEGORIES],
    ...(cookie && { extraHeaders: { Cookie: cookie } }),
  };
  const config: Config | undefined = visit.surface === "desktop" ? desktopConfig : undefined;
  const result = await lighthouse(visit.url, flags, config);
  const report = result?.lhr;
  if (!report || report.runtimeError) {
    if (tries > 1) return runOnce(visit, port, cookie, tries - 1);
    throw new Error(`${visit.url}: ${report?.runtimeError?.message}`);
  }
  const getScore = (category: Category) => Math.round((report.categories[category]?.score ?? 0) * 100);
  const failedAudits = (category: Category) =>
    (report.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id)
      .filter((id) => !isExpectedFailure(id, visit));
  const scores = Object.fromEntries(CATEGORIES.map((category) => [category, getScore(category)]));
  const problems = (["accessibility", "best-practices", "seo"] as const).flatMap(failedAudits);
  if (getScore("performance") < performanceBar(visit))
    problems.push(`performance ${getScore("performance")}`);
  return { scores: scores as LighthouseResult["scores"], problems };
}

/** Audits that fail on purpose: noindex pages are not crawlable, and the mobile home names the desktop canonical. */
const isExpectedFailure = (audit: string, { kind, surface }: Visit) =>
  (audit === "is-crawlable" && kind.noindex === true) ||
  (audit === "canonical" && surface === "mobile" && kind.path === "/");
