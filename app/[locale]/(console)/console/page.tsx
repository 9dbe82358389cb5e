import type { ReactNode } from "react";
import { ConsoleHeader } from "@/components/console/page-header";
import { ApplicationRecord } from "@/components/merchants/console/application-page";
import { ChangeRecord } from "@/components/merchants/console/change-page";
import { TradeFileTab } from "@/components/merchants/console/trade-file-tab";
import { DisputeRecord } from "@/components/orders/console/dispute-page";
import { NotFoundScreen } from "@/components/shell/not-found-screen";
import { InboxScreen } from "@/components/staff/inbox/inbox-screen";
import { RecordPane } from "@/components/staff/inbox/record-pane";
import { WeekFigures } from "@/components/staff/today/week-figures";
import { ConversationRecord } from "@/components/support/console/conversation-page";
import { getConsoleChange } from "@/lib/merchants/changes/list-console-changes";
import { findConsoleApplication } from "@/lib/merchants/console/list-console-applications";
import { getConsoleTradeFile } from "@/lib/merchants/console/trade-files";
import { findConsoleDispute } from "@/lib/orders/console/list-console-disputes";
import { listDayFigures } from "@/lib/orders/insight/list-day-figures";
import { mayStaff } from "@/lib/platform/auth/permissions";
import { isShopError } from "@/lib/platform/errors";
import { consoleTranslations } from "@/lib/platform/i18n/console-messages";
import {
  type ConsolePage,
  type ConsoleProps,
  consoleMetadata,
  consolePage,
  queryValues,
} from "@/lib/platform/pages/console";
import { InboxInput } from "@/lib/staff/inbox/contract";
import { findInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { listMentionable } from "@/lib/staff/notes/list-mentionable";
import { anyStaff } from "@/lib/staff/rules";
import { compareFigures } from "@/lib/staff/today/rules-figures";
import { listStoredAnswers } from "@/lib/support/console/change-stored-answers";
import { getConsoleConversation } from "@/lib/support/console/get-console-conversation";

export const generateMetadata = (props: ConsoleProps) =>
  consoleMetadata(props, anyStaff, async (locale) =>
    (await consoleTranslations({ locale, namespace: "console.today" }))("title"),
  );

const WEEK = 7;

export default async function TodayPage(props: ConsoleProps) {
  const page = await consolePage(props, anyStaff, "/console");
  if (!page) return <NotFoundScreen />;
  const { locale, viewer } = page;
  const values = await queryValues(props.searchParams);
  const { view } = InboxInput.catch({ view: "open" }).parse({ view: values.view });
  const [inbox, figures, t] = await Promise.all([
    listInbox(viewer, { view }, locale),
    listDayFigures(2 * WEEK),
    consoleTranslations({ locale, namespace: "console.today" }),
  ]);
  const selected = chooseItem(inbox.items, values);
  const chosen = values.item !== undefined && selected !== undefined;
  return (
    <>
      <ConsoleHeader title={t("title")} />
      <div className={chosen ? "max-[899px]:hidden" : undefined}>
        <WeekFigures locale={locale} figures={compareFigures(figures, WEEK)} />
      </div>
      <InboxScreen
        inbox={inbox}
        view={view}
        selected={selected ?? null}
        chosen={chosen}
        record={selected && <Record key={selected} item={selected} page={page} />}
      />
    </>
  );
}

/** The thing that the address names; when it waits no more, the one that took its place. */
function chooseItem(items: readonly { key: string }[], { item, at }: Record<string, string>) {
  const named = items.find(({ key }) => key === item);
  const place = Math.min(Math.max(0, Math.trunc(Number(at)) || 0), items.length - 1);
  return (named ?? items[place])?.key;
}

/** The record of a thing, by the screen of its noun where it has one. */
async function Record({ item, page }: { item: string; page: ConsolePage }): Promise<ReactNode> {
  const { viewer, locale } = page;
  const { roles } = viewer.staff;
  const [queue, id] = [item.slice(0, item.indexOf(":")), item.slice(item.indexOf(":") + 1)];
  if (queue === "messages") {
    const [conversation, answers] = await Promise.all([getConsoleConversation(id), listStoredAnswers()]);
    return conversation && <ConversationRecord conversation={conversation} answers={answers.items} />;
  }
  if (queue === "disputes") {
    const [dispute, people] = await Promise.all([findConsoleDispute(id), listMentionable("order")]);
    const mayTake = mayStaff(roles, "disputes.evidence");
    return (
      dispute && (
        <DisputeRecord
          dispute={dispute}
          people={people}
          mayTake={mayTake}
          mayWrite={mayStaff(roles, "notes.write")}
          heading="h2"
        />
      )
    );
  }
  if (queue === "applications") {
    const application = await findConsoleApplication(id);
    const mayDecide = mayStaff(roles, "merchants.decide");
    return application && <ApplicationRecord application={application} mayDecide={mayDecide} heading="h2" />;
  }
  if (queue === "trade_files") {
    const file = await findTradeFile(id, page);
    const [mayCheck, mayOpen] = [mayStaff(roles, "trade.check"), mayStaff(roles, "trade.documents")];
    return file && <TradeFileTab file={file} mayCheck={mayCheck} mayOpen={mayOpen} />;
  }
  if (queue === "changes") {
    const change = await findChange(id, page);
    return change && <ChangeRecord change={change} heading="h2" />;
  }
  const record = await findInboxRecord(viewer, item, locale);
  return record && <RecordPane record={record} />;
}

async function findTradeFile(id: string, { locale }: ConsolePage) {
  try {
    return await getConsoleTradeFile(id, locale);
  } catch (error) {
    if (isShopError(error, "merchant_unknown")) return null;
    throw error;
  }
}

async function findChange(id: string, { locale }: ConsolePage) {
  try {
    return await getConsoleChange(id, locale);
  } catch (error) {
    if (isShopError(error, "change_unknown")) return null;
    throw error;
  }
}
