import { reportVisit } from "./report-visit";

type ReportPage = typeof import("./report-page")["reportPage"];

let reportPage: ReportPage | undefined;

/** Loads the reporting code, because most pages are left by a use of them. Failures are ignored. */
export async function loadReporter(): Promise<void> {
  reportPage ??= await import("./report-page").then(
    (module) => module.reportPage,
    () => undefined,
  );
}

/** The report of one page, sent once. */
export function createPageReport(address: string) {
  let sent = false;
  const send = (report: (address: string) => void) => {
    if (sent) return;
    sent = true;
    report(address);
  };
  return {
    /** Reports the page in full, when the code is there. */
    async report(): Promise<void> {
      await loadReporter();
      if (reportPage) send(reportPage);
    },
    /** Reports a page whose document goes away: at least the visit, for which nothing has to be loaded. */
    leave(): void {
      send(reportPage ?? ((left) => reportVisit(left.split("?")[0] ?? left)));
    },
  };
}
