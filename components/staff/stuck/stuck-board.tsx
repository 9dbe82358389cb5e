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
import type { MailEvent } from "@/lib/notifications/rules";
import { api } from "@/lib/platform/api/client";
import { isRepeatableMail } from "@/lib/staff/mails/rules";
import type { StuckBoard, StuckItem } from "@/lib/staff/stuck/contract";
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

/** What waits for longer than it should, by kind, with what runs it again. It looks again by itself. */
export function StuckScreen({ board: first, mayRetry }: { board: StuckBoard; mayRetry: boolean }) {
  const t = useTranslations("console.stuck");
  const mailName = useTranslations("console.mail_events");
  const [chosen, setChosen] = useState<StuckItem>();
  const board = useFreshBoard(first, chosen !== undefined);
  const kinds = STUCK_KINDS.filter((kind) => board.items.some((item) => item.kind === kind));
  const nameOf = ({ kind, about, order_number, mail_event, id }: StuckItem) => {
    if (mail_event) return `${mailName(mail_event as MailEvent)} · ${about}`;
    if (kind === "audit_seals" || kind === "custody_seals")
      return t("unsealed_count", { count: about ?? "" });
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
          <MissingWorker key={kind} item={board.items.find((item) => item.kind === kind)!} />
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
      {chosen && <RunDialog item={chosen} name={nameOf(chosen)} onClose={() => setChosen(undefined)} />}
    </>
  );
}

/** The newest board. It is asked for by a call that does not extend staff mode, so that an unattended desk is left in time. */
function useFreshBoard(first: StuckBoard, isPaused: boolean): StuckBoard {
  const router = useRouter();
  const [polled, setPolled] = useState<StuckBoard>();
  useEffect(() => {
    const timer = setInterval(async () => {
      if (document.visibilityState !== "visible" || isPaused) return;
      const result = await api.get("/admin/stuck");
      if (result.ok) setPolled(result.data);
      // The page leads to the entrance.
      else if (ACCESS_ENDED.includes(result.code)) router.refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [router, isPaused]);
  return polled && polled.checked_at > first.checked_at ? polled : first;
}

function orderLink({ order_number }: StuckItem) {
  if (!order_number) return "–";
  return (
    <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
      {order_number}
    </ConsoleLink>
  );
}

/** Above everything else, because most of the rest waits for it. */
function MissingWorker({ item }: { item: StuckItem }) {
  const t = useTranslations("console.stuck");
  return (
    <div role="alert" className="mb-6 rounded-control border border-bad bg-raised p-4">
      <p className="font-semibold text-bad">{t("kind.worker")}</p>
      <p className="pt-1">{t("start_worker")}</p>
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
