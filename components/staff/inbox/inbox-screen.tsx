"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { Age, TimeLeft } from "@/components/console/time";
import { classNames } from "@/components/ui/class-names";
import { useSurface } from "@/components/ui/surface";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { InboxItem, InboxView } from "@/lib/staff/inbox/contract";
import { InboxMarks } from "./inbox-marks";
import { ChosenDecision } from "./record-pane";

/** The decisions that a line offers under the pointer, by the names of its record. */
const LINE_ACTIONS: Partial<Record<InboxItem["queue"], readonly string[]>> = {
  refund_requests: ["approve_refund", "refuse"],
  replacements: ["replace", "refuse"],
  approvals: ["approve", "refuse"],
};

type View = "open" | "later";
type Props = {
  inbox: InboxView;
  view: View;
  /** the thing whose record is shown; null: nothing waits */
  selected: string | null;
  /** The address names it: on phones its record takes the place of the list. */
  chosen: boolean;
  record: ReactNode;
};

const addressOf = (view: View, key?: string, place?: number) => {
  const query = new URLSearchParams({
    ...(view === "later" && { view }),
    ...(key && { item: key, at: String(place) }),
  });
  return query.size > 0 ? `/console?${query}` : "/console";
};

/** What waits, the most urgent first, beside the record of one thing. j, k, a, r and z move and decide. */
export function InboxScreen({ inbox, view, selected, chosen, record }: Props) {
  const t = useTranslations("console.inbox");
  const router = useRouter();
  const address = useConsoleAddress();
  const pane = useRef<HTMLElement>(null);
  const [marking, setMarking] = useState(false);
  const [decision, setDecision] = useState<{ key: string; action: string; done: () => void } | null>(null);
  const { items, more, others } = inbox;
  const place = items.findIndex(({ key }) => key === selected);
  const item = items[place];
  const subjectOf = useSubject();

  useEffect(() => {
    const press = (name: string) =>
      (
        pane.current?.querySelector<HTMLElement>(`[data-press=${name}]`) ??
        (name === "a" ? pane.current?.querySelector<HTMLElement>(".button-primary, textarea") : null)
      )?.focus();
    function onKey(event: KeyboardEvent) {
      const { target, key } = event;
      if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]"))
        return;
      const step = { j: 1, k: -1 }[key];
      const next = step === undefined ? undefined : items[place + step];
      if (next) router.push(address(addressOf(view, next.key, place + step!)), { scroll: false });
      else if (key === "a" || key === "r") {
        press(key);
        const focused = document.activeElement;
        if (pane.current?.contains(focused) && focused instanceof HTMLButtonElement) focused.click();
      } else if (key === "z" && item) setMarking(true);
      else return;
      event.preventDefault();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [items, place, item, view, router, address]);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-4 min-[900px]:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
      <section aria-labelledby="inbox-waits" className={classNames(chosen && "max-[899px]:hidden")}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 pb-1">
          <h2 id="inbox-waits" className="text-17 font-semibold">
            {t("waits")}
          </h2>
          <nav aria-label={t("views")} className="flex gap-1">
            {(["open", "later"] as const).map((choice) => (
              <ConsoleLink
                key={choice}
                href={addressOf(choice)}
                aria-current={choice === view ? "page" : undefined}
                className="inline-flex min-h-11 items-center rounded-control px-3 hover:bg-tint aria-[current]:bg-tint aria-[current]:font-medium min-[900px]:min-h-9"
              >
                {t(`view.${choice}`)}
                <span className="figures pl-1.5 text-13 text-quiet">
                  {choice === view ? `${items.length}${more ? "+" : ""}` : others}
                </span>
              </ConsoleLink>
            ))}
          </nav>
        </div>
        {items.length === 0 ? (
          <p className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-17">
            {t(view === "open" ? "nothing" : "nothing_later")}
          </p>
        ) : (
          <ol className="overflow-hidden rounded-control border border-hairline bg-raised min-[900px]:max-h-[calc(100vh-17rem)] min-[900px]:overflow-y-auto">
            {items.map((one, index) => (
              <li key={one.key} className="group relative border-b border-hairline last:border-b-0">
                <ConsoleLink
                  href={addressOf(view, one.key, index)}
                  aria-current={one.key === selected ? "true" : undefined}
                  className={classNames(
                    "flex min-h-14 flex-col justify-center gap-x-3 px-3 py-1.5 hover:bg-tint min-[900px]:min-h-10 min-[900px]:flex-row min-[900px]:items-center min-[900px]:justify-start",
                    one.key === selected && (chosen ? "bg-tint" : "min-[900px]:bg-tint"),
                  )}
                >
                  <InboxLine item={one} />
                </ConsoleLink>
                <LineActions
                  item={one}
                  onChoose={(action) => {
                    setDecision({ key: one.key, action, done: () => setDecision(null) });
                    router.push(address(addressOf(view, one.key, index)), { scroll: false });
                  }}
                />
              </li>
            ))}
          </ol>
        )}
        <p className="pt-2 text-13 text-quiet max-[899px]:hidden">{t("keys")}</p>
      </section>
      <section
        ref={pane}
        aria-labelledby={item && "inbox-record"}
        className={classNames(
          "min-w-0 rounded-control border border-hairline bg-raised p-4",
          !chosen && "max-[899px]:hidden",
          !item && "hidden",
        )}
      >
        {item && (
          <>
            <ConsoleLink
              href={addressOf(view)}
              className="text-link mb-1 inline-flex min-h-11 items-center min-[900px]:hidden"
            >
              {t("back")}
            </ConsoleLink>
            <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-3">
              <div className="min-w-0">
                <h2 id="inbox-record" className="text-17 font-semibold wrap-anywhere">
                  {t(`kind.${item.queue}`)}
                  {subjectOf(item) && ` · ${subjectOf(item)}`}
                </h2>
                <p className="flex flex-wrap gap-x-3 text-13 text-quiet">
                  <ConsoleLink href={item.path} className="text-link">
                    {t("open")}
                  </ConsoleLink>
                  {item.assigned_to && <span>{t("with", { name: item.assigned_to })}</span>}
                  {item.handed_to && <HandedTo item={item} />}
                </p>
              </div>
              <InboxMarks item={item} people={inbox.people} open={marking} onOpen={setMarking} />
            </header>
            {item.note && item.queue !== "asked" && (
              <blockquote className="mb-4 rounded-control bg-tint px-3 py-2 wrap-anywhere">
                {item.note}
                {item.marked_by && <span className="block text-13 text-quiet">{item.marked_by}</span>}
              </blockquote>
            )}
            <ChosenDecision value={decision}>{record}</ChosenDecision>
          </>
        )}
      </section>
    </div>
  );
}

/** What the keys a and r do for the record, under the pointer: the record opens with the decision asked. */
function LineActions({ item, onChoose }: { item: InboxItem; onChoose: (action: string) => void }) {
  const t = useTranslations("console.inbox.action");
  const names = LINE_ACTIONS[item.queue];
  if (!names) return null;
  return (
    <div className="absolute inset-y-0 right-0 hidden items-center gap-1 bg-tint pr-2 pl-3 min-[900px]:group-hover:flex">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          tabIndex={-1}
          onClick={() => onChoose(name)}
          className="min-h-7 cursor-pointer rounded-control border border-control bg-raised px-2.5 text-13 hover:border-ink"
        >
          {t(name as "refuse")}
        </button>
      ))}
    </div>
  );
}

function HandedTo({ item }: { item: InboxItem }) {
  const t = useTranslations("console.inbox");
  const role = useTranslations("console.roles");
  return item.handed_to && <span>{t("for_role", { role: role(item.handed_to) })}</span>;
}

/** What a thing is about, in words: a pass, an order, an address, or the name of an email. */
function useSubject() {
  const mail = useTranslations("console.mail_events");
  return ({ queue, subject }: InboxItem) =>
    queue === "failed_mails" && mail.has(subject as "keys") ? mail(subject as "keys") : subject;
}

/** One line: time left or age, what, how much, about what, who, why. */
function InboxLine({ item }: { item: InboxItem }) {
  const t = useTranslations("console.inbox");
  const { locale } = useSurface();
  const { queue, due_at, since, amount, who, reason, text, count } = item;
  const subject = useSubject()(item);
  const why = reason ? t(`reason.${reason}`, { count: count ?? 0 }) : text;
  return (
    <>
      <span className="figures flex w-16 flex-none items-center text-13 whitespace-nowrap max-[899px]:w-auto">
        {due_at ? <TimeLeft until={due_at} late={t("late")} /> : <Age at={since} />}
        <span className="sr-only"> {t(due_at ? "left" : "waits_since")}</span>
      </span>
      <span
        className="max-w-full min-w-0 truncate min-[900px]:flex-1"
        title={[subject, who, why].filter(Boolean).join(" · ")}
      >
        <span className="font-medium">{t(`kind.${queue}`)}</span>
        {amount !== null && amount > 0 && (
          <span className="figures"> {formatPrice(toCents(amount), locale)}</span>
        )}
        {[subject, who].filter(Boolean).map((part) => (
          <span key={part}> · {part}</span>
        ))}
        {why && <span className="text-quiet"> · {why}</span>}
      </span>
      {item.assigned_to && <span className="flex-none truncate text-13 text-quiet">{item.assigned_to}</span>}
    </>
  );
}
