import {
  AppealScreen,
  NothingToReport,
  ReportReceiptScreen,
  ReportScreen,
} from "@/components/support/reports/report-screen";
import { type PageProps, pageLocation, pageTitle, queryValue } from "@/lib/platform/pages/page";
import { findAppeal, findReceipt } from "@/lib/support/reports/find-report";
import { findTarget } from "@/lib/support/reports/find-target";
import { REPORT_KINDS } from "@/lib/support/reports/rules";

export const generateMetadata = pageTitle("support.report.title", "ui.descriptions.report");

export default async function ReportPage({ params, searchParams }: PageProps) {
  const { locale, surface } = await pageLocation(params);
  const [receipt, token] = [
    await queryValue(searchParams, "receipt"),
    await queryValue(searchParams, "appeal"),
  ];
  if (receipt) {
    const found = await findReceipt(receipt);
    return found ? <ReportReceiptScreen receipt={found} /> : <NothingToReport />;
  }
  if (token) {
    const appeal = await findAppeal(token);
    return appeal ? <AppealScreen appeal={appeal} token={token} surface={surface} /> : <NothingToReport />;
  }
  for (const kind of REPORT_KINDS) {
    const target = await queryValue(searchParams, kind);
    const found = target ? await findTarget(kind, target.slice(0, 120), locale) : null;
    if (target && found) return <ReportScreen {...{ kind, target, found, surface }} />;
  }
  return <NothingToReport />;
}
