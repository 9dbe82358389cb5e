"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import type { Tone } from "@/components/console/pill";
import { RecordSection, RecordTable } from "@/components/console/record";
import { Age, ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { isRepeatableMail } from "@/lib/notifications/console/rules";
import type { MailEvent } from "@/lib/notifications/rules";
import { api } from "@/lib/platform/api/client";
import type { JobQueueItem, QueueRetried, StuckBoard, StuckItem } from "@/lib/staff/stuck/contract";
import { STUCK_KINDS, STUCK_ROWS, type StuckReason } from "@/lib/staff/stuck/rules";

const REFRESH_MS = 30_000;
/** The session, its staff mode or the permission has ended. */
const ACCESS_ENDED = ["401", "40314", "40300", "40400"];
const TONES: Partial<Record<StuckReason, Tone>> = {
  queued: "warn",
  running: "warn",
  failing: "bad",
  given_up: "bad",
  failed: "bad",
  no_worker: "bad",
  differs: "bad",
};

type Texts = ReturnType<typeof useTranslations<"console.stuck">>;

/** What has waited longer than it should, by kind, each with its retry. It refreshes itself. */
export function StuckScreen({
  board: first,
  queues: firstQueues,
  mayRetry,
  maySwitch,
}: {
  board: StuckBoard;
  queues: readonly JobQueueItem[];
  mayRetry: boolean;
  /** open the shop */
  maySwitch: boolean;
}) {
  const t = useTranslations("console.stuck");
  const mailName = useTranslations("console.mail_events");
  const [chosen, setChosen] = useState<StuckItem>();
  const [chosenQueue, setChosenQueue] = useState<string>();
  const { board, queues } = useFreshBoard(
    { board: first, queues: firstQueues },
    chosen !== undefined || chosenQueue !== undefined,
  );
  const kinds = STUCK_KINDS.filter((kind) => board.items.some((item) => item.kind === kind));
  const nameOf = ({ kind, about, order_number, mail_event, id }: StuckItem) => {
    if (mail_event) return `${mailName(mail_event as MailEvent)} · ${about}`;
    if (kind === "audit_seals" || kind === "custody_seals")
      return t("unsealed_count", {
        count: parseInt(about ?? "0", 10),
        more: about?.endsWith("+") ? "yes" : "no",
      });
    if (id === "run") return t("compare");
    return about ?? order_number ?? id;
  };
  return (
    <>
      <ConsoleHeader title={t("title")} lead={t("lead")} />
      {kinds.length === 0 && (
        <p
          role="status"
          className="rounded-control border border-hairline bg-raised px-4 py-10 text-center text-quiet"
        >
          {t("nothing")}
        </p>
      )}
      {kinds.map((kind) =>
        kind === "worker" ? (
          <MissingWorker
            key={kind}
            item={board.items.find((item) => item.kind === kind)!}
            maySwitch={maySwitch}
          />
        ) : (
          <RecordSection key={kind} title={t(`kind.${kind}`)}>
            <RecordTable
              label={t(`kind.${kind}`)}
              rows={board.items.filter((item) => item.kind === kind)}
              rowId={({ id }) => id}
              empty=""
              columns={[
                { name: t("what"), cell: (item) => <span className="wrap-anywhere">{nameOf(item)}</span> },
                ...(kind === "job" || kind === "reconciliation" || kind.endsWith("_seals")
                  ? []
                  : [{ name: t("order"), cell: orderLink }]),
                {
                  name: t("since"),
                  cell: ({ since }: StuckItem) => (
                    <>
                      <ShortTime at={since} />{" "}
                      <span className="text-13 text-quiet">
                        <Age at={since} />
                      </span>
                    </>
                  ),
                },
                { name: t("why"), cell: (item: StuckItem) => <Why item={item} t={t} /> },
                ...(mayRetry
                  ? [
                      {
                        name: t("run"),
                        cell: (item: StuckItem) => <RunButton item={item} onPress={() => setChosen(item)} />,
                      },
                    ]
                  : []),
              ]}
            />
            {board.more.includes(kind) && (
              <p className="pt-2 text-quiet">{t("more", { count: STUCK_ROWS })}</p>
            )}
            {kind === "mail_failed" && (
              <p className="pt-2">
                <ConsoleLink href="/console/mails?state=failed" className="text-link">
                  {t("all_mails")}
                </ConsoleLink>
              </p>
            )}
          </RecordSection>
        ),
      )}
      <RecordSection title={t("queues")}>
        <Queues queues={queues} onRetry={mayRetry ? setChosenQueue : undefined} />
      </RecordSection>
      {chosenQueue !== undefined && (
        <ActionDialog<QueueRetried>
          open
          title={t("retry_queue_title", { queue: chosenQueue })}
          confirm={t("run")}
          done={({ retried }) => t("queue_retried", { count: retried })}
          path="/admin/stuck/queues/retry"
          body={() => ({ queue: chosenQueue })}
          onClose={() => setChosenQueue(undefined)}
        />
      )}
      {chosen && <RunDialog item={chosen} name={nameOf(chosen)} onClose={() => setChosen(undefined)} />}
    </>
  );
}

type Stuck = { board: StuckBoard; queues: readonly JobQueueItem[] };

/** The newest board. It is polled by calls that do not extend staff mode. */
function useFreshBoard(first: Stuck, isPaused: boolean): Stuck {
  const router = useRouter();
  const [polled, setPolled] = useState<Stuck>();
  useEffect(() => {
    const timer = setInterval(async () => {
      if (document.visibilityState !== "visible" || isPaused) return;
      const [board, queues] = await Promise.all([
        api.get("/admin/stuck", {}, { background: true }),
        api.get("/admin/stuck/queues", {}, { background: true }),
      ]);
      if (board.ok && queues.ok) setPolled({ board: board.data, queues: queues.data.items });
      // The page shows the sign-in of staff mode.
      else if (!board.ok && ACCESS_ENDED.includes(board.code)) router.refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [router, isPaused]);
  return polled && polled.board.checked_at > first.board.checked_at ? polled : first;
}

function orderLink({ order_number }: StuckItem) {
  if (!order_number) return "–";
  return (
    <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
      {order_number}
    </ConsoleLink>
  );
}

/** The queues of background jobs, each with what runs its failed ones again. */
function Queues({
  queues,
  onRetry,
}: {
  queues: readonly JobQueueItem[];
  onRetry: ((queue: string) => void) | undefined;
}) {
  const t = useTranslations("console.stuck");
  const { locale } = useSurface();
  const number = (value: number) => value.toLocaleString(locale);
  const retry = ({ queue, failed }: JobQueueItem) =>
    failed > 0 && (
      <Button aria-label={t("retry_queue_name", { queue })} onClick={() => onRetry?.(queue)}>
        {t("retry_queue", { count: failed })}
      </Button>
    );
  return (
    <RecordTable
      label={t("queues")}
      rows={queues}
      rowId={({ queue }) => queue}
      empty={t("no_queues")}
      columns={[
        { name: t("queue"), cell: ({ queue }) => <code className="font-mono text-13">{queue}</code> },
        { name: t("waiting"), end: true, cell: ({ waiting }) => number(waiting) },
        { name: t("later"), end: true, cell: ({ later }) => number(later) },
        { name: t("active"), end: true, cell: ({ active }) => number(active) },
        { name: t("failed"), end: true, cell: ({ failed }) => number(failed) },
        {
          name: t("oldest"),
          cell: ({ oldest_at }) => (oldest_at ? <ShortTime at={oldest_at} /> : "–"),
        },
        ...(onRetry ? [{ name: t("run"), cell: retry }] : []),
      ]}
    />
  );
}

/** Above everything else, because most of the rest waits for it. */
function MissingWorker({ item, maySwitch }: { item: StuckItem; maySwitch: boolean }) {
  const t = useTranslations("console.stuck");
  const isClosed = item.why === "shop_closed";
  return (
    <div role="alert" className="mb-6 rounded-control border border-bad bg-raised p-4">
      <p className="font-semibold text-bad">{t(isClosed ? "closed_title" : "kind.worker")}</p>
      <p className="pt-1">{t(isClosed ? "closed_text" : "start_worker")}</p>
      {isClosed && maySwitch && (
        <p className="pt-1">
          <ConsoleLink href="/console/settings" className="text-link">
            {t("to_settings")}
          </ConsoleLink>
        </p>
      )}
      <p className="pt-1 text-13 text-quiet">
        {t("since")} <ShortTime at={item.since} />
      </p>
    </div>
  );
}

function Why({ item, t }: { item: StuckItem; t: Texts }) {
  const { why, error, attempts, next_at } = item;
  return (
    <div className="min-[900px]:min-w-56">
      <p>
        {TONES[why] === "bad" ? (
          <strong className="font-medium text-bad">{t(`reason.${why}`)}</strong>
        ) : (
          t(`reason.${why}`)
        )}
      </p>
      {error && <p className="font-mono text-13 wrap-anywhere text-quiet">{error}</p>}
      {attempts !== null && attempts > 0 && (
        <p className="text-13 text-quiet">
          {t("attempts", { count: attempts })}
          {next_at && (
            <>
              {" · "}
              {t("next")} <ShortTime at={next_at} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

function RunButton({ item, onPress }: { item: StuckItem; onPress: () => void }) {
  const t = useTranslations("console.stuck");
  const again = useTranslations("console.mails");
  if (item.kind === "mail_failed") {
    const event = item.mail_event ?? "";
    return isRepeatableMail({ event, state: "failed" }) ? (
      <Button onClick={onPress}>{again("again")}</Button>
    ) : (
      "–"
    );
  }
  return <Button onClick={onPress}>{t("run")}</Button>;
}

function RunDialog({ item, name, onClose }: { item: StuckItem; name: string; onClose: () => void }) {
  const t = useTranslations("console.stuck");
  const again = useTranslations("console.mails");
  const { kind, id } = item;
  if (kind === "mail_failed")
    return (
      <ActionDialog
        open
        title={again("again_title", { name })}
        confirm={again("again")}
        done={again("again_done")}
        path={`/admin/mails/${id}/again`}
        onClose={onClose}
      />
    );
  return (
    <ActionDialog
      open
      title={t("run_title")}
      confirm={t("run")}
      done={t("ran")}
      path="/admin/stuck/retry"
      body={() => ({ kind, id })}
      onClose={onClose}
    />
  );
}
