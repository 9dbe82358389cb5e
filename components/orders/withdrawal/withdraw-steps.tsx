"use client";

import { type FormEvent, useCallback, useEffect, useId, useState } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeInput } from "@/components/ui/code-input";
import { Dated } from "@/components/ui/dated";
import { useTimeZone } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { type Option, Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { useCall } from "@/components/ui/use-call";
import type { WithdrawInput, WithdrawLine, WithdrawView } from "@/lib/orders/withdrawal/contract";
import { lastWithdrawalDay } from "@/lib/orders/withdrawal/rules";
import { api } from "@/lib/platform/api/client";
import { durationSpan, formatDate, formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { type Declaration, DeclareForm } from "./declare-form";
import type { WithdrawLabels } from "./withdraw-screen";

/**
 * The steps of a withdrawal: declare it, prove with a mailed code that the order is one's own, review the lines, done. The
 * owner's session needs no code, and from an order's page begins with its lines: that press declares it too.
 */
export function WithdrawSteps({ orderId, labels }: { orderId: string; labels: WithdrawLabels }) {
  const signedIn = useSessionSummary()?.signedIn === true;
  const [view, setView] = useState<WithdrawView | null>(null);
  const [country, setCountry] = useState("");
  const { pending, problem, setProblem, run } = useCall(labels.network);
  const [declaration, setDeclaration] = useState<Declaration>();
  const step = { labels, pending, problem };

  const send = useCallback(
    async (body: Omit<WithdrawInput, "user_id">, quiet = false) => {
      const result = await run((options) => api.post("/order/withdraw", body, options));
      if (result.ok) setView(result.data);
      else if (quiet) setProblem("");
    },
    [run, setProblem],
  );

  useEffect(() => {
    if (signedIn && orderId) void send({ order_id: orderId }, true);
  }, [signedIn, orderId, send]);

  function declare(declared: Declaration) {
    setDeclaration(declared);
    if (declared.proof === "session") void send({ order_id: declared.order });
  }

  if (view?.step === "done") return <WithdrawDone view={view} labels={labels} />;
  if (view?.step === "review")
    return (
      <WithdrawReview
        {...step}
        view={view}
        country={country}
        onCountry={(chosen) => {
          setCountry(chosen);
          void send({ order_id: view.order_id, ...stated(chosen), ...(view.token && { token: view.token }) });
        }}
        onConfirm={(ids) =>
          void send({
            order_id: view.order_id,
            confirm: true,
            order_product_ids: ids,
            ...stated(country),
            ...(view.token && { token: view.token }),
          })
        }
      />
    );
  if (!declaration) return <DeclareForm orderId={orderId} labels={labels} onDeclared={declare} />;
  return (
    <div className="flex flex-col gap-8">
      <DeclaredNotice declaration={declaration} labels={labels} />
      {declaration.proof === "code" && (
        <CodeForm
          {...step}
          declaration={declaration}
          onCode={(code) => void send({ order_id: declaration.order, email: declaration.email, code })}
          onBack={() => {
            setDeclaration(undefined);
            setProblem("");
          }}
        />
      )}
    </div>
  );
}

/** A country that the buyer has not chosen is not stated. */
const stated = (country: string) => (country ? { country } : {});

function WithdrawDone({ view, labels }: { view: WithdrawView; labels: WithdrawLabels }) {
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const email = () => view.email ?? "";
  return (
    <div className="flex flex-col gap-4">
      {(view.refund_amount > 0 || view.review_amount === 0) && (
        <Notice
          kind={view.refund_amount > 0 ? "good" : "info"}
          live
          title={
            view.refund_amount > 0 ? labels.doneTitle.replace("%s", usd(view.refund_amount)) : labels.doneNone
          }
        >
          {labels.doneText.replace("%s", email)}
        </Notice>
      )}
      {view.review_amount > 0 && (
        <Notice kind="info" live title={labels.doneReview.replace("%s", usd(view.review_amount))}>
          {labels.doneReviewText.replace("%s", email)}
        </Notice>
      )}
    </div>
  );
}

type StepProps = { labels: WithdrawLabels; pending: boolean; problem: string };

/** What was recorded, and its receipt. */
function DeclaredNotice({ declaration, labels }: { declaration: Declaration; labels: WithdrawLabels }) {
  const { locale } = useSurface();
  const moment = formatMoment(declaration.received_at, locale, useTimeZone());
  const receipt = new URLSearchParams({ receipt: declaration.receipt, target_lang: locale });
  return (
    <Notice kind="good" live title={labels.declared.replace("%s", moment)}>
      <p className="break-all">{labels.declaredText.replace("%s", () => declaration.order)}</p>
      <p className="break-all">
        {declaration.receipt_mailed
          ? labels.declaredMailed.replace("%s", () => declaration.email)
          : labels.declaredUnmailed}
      </p>
      <a href={`/api/v1/order/withdraw/receipt?${receipt}`} download className="text-link inline-block pt-1">
        {labels.download}
      </a>
    </Notice>
  );
}

/** The code that proves that the order belongs to who declared the withdrawal. */
function CodeForm({
  labels,
  declaration,
  pending,
  problem,
  onCode,
  onBack,
}: StepProps & { declaration: Declaration; onCode: (code: string) => void; onBack: () => void }) {
  const [code, setCode] = useState("");
  const title = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending && code.length === 6) onCode(code);
  };
  return (
    <form method="post" noValidate aria-labelledby={title} onSubmit={submit} className="flex flex-col gap-5">
      <h2 id={title} className="text-21">
        {labels.proofTitle}
      </h2>
      <p role="status" className="break-words">
        {labels.codeSent.replace("%s", () => declaration.email)}
      </p>
      <CodeInput label={labels.code} error={problem} onCode={setCode} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" look="primary" pending={pending} disabled={code.length < 6}>
          {labels.codeNext}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {labels.otherOrder}
        </Button>
      </div>
    </form>
  );
}

/** The lines of the order, selectable where withdrawal is possible and with a reason where it is not. */
function WithdrawReview({
  view,
  labels,
  pending,
  problem,
  country,
  onCountry,
  onConfirm,
}: StepProps & {
  view: WithdrawView;
  /** What the buyer states; empty: nothing. */
  country: string;
  onCountry: (country: string) => void;
  onConfirm: (ids: string[]) => void;
}) {
  const { locale } = useSurface();
  const timeZone = useTimeZone();
  const title = useId();
  const withdrawable = view.lines.filter((line) => line.units + line.review_units > 0);
  const [excluded, setExcluded] = useState<string[]>([]);
  const selected = withdrawable.filter((line) => !excluded.includes(line.order_product_id));
  const sum = (amountOf: (line: WithdrawLine) => number) =>
    selected.reduce((cents, line) => cents + toCents(amountOf(line)), 0);
  const cents = sum((line) => line.amount);
  const reviewCents = sum((line) => line.review_amount);
  const toggle = (id: string, checked: boolean) =>
    setExcluded((ids) => (checked ? ids.filter((other) => other !== id) : [...ids, id]));
  return (
    <section aria-labelledby={title} className="flex flex-col gap-5">
      <h2 id={title} className="text-21">
        {labels.reviewTitle}
      </h2>
      {view.withdraw_until && withdrawable.length > 0 && (
        <p className="text-quiet">
          <Dated>
            {labels.until.replace("%s", formatDate(lastWithdrawalDay(view.withdraw_until), locale, timeZone))}
          </Dated>
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {view.lines.map((line) => (
          <li key={line.order_product_id} className="flex flex-wrap items-start justify-between gap-x-6 py-2">
            {line.units + line.review_units > 0 ? (
              <Checkbox
                label={<Name line={line} lifetime={labels.lifetime} />}
                hint={partialHint(line, labels)}
                checked={!excluded.includes(line.order_product_id)}
                onChange={(event) => toggle(line.order_product_id, event.target.checked)}
              />
            ) : (
              <div className="py-2.5">
                <Name line={line} lifetime={labels.lifetime} />
                <p className="text-13 text-quiet">{labels.reasons[line.reason]}</p>
              </div>
            )}
            <LineAmounts line={line} labels={labels} />
            {line.refund && (
              <p className="basis-full text-13 text-quiet">
                <LocalTimes of={[line.refund.until, line.refund.right?.until ?? null]}>
                  {line.refund_text}
                </LocalTimes>
              </p>
            )}
          </li>
        ))}
      </ul>
      <StatedCountry view={view} labels={labels} country={country} onChoose={onCountry} />
      <ErrorNotice>{problem}</ErrorNotice>
      {withdrawable.length === 0 ? (
        <Notice>{labels.nothing}</Notice>
      ) : (
        <>
          <p className="text-13 text-quiet">{labels.note}</p>
          <div>
            <Button
              look="danger"
              large
              pending={pending}
              disabled={selected.length === 0}
              onClick={() => onConfirm(selected.map((line) => line.order_product_id))}
            >
              {cents > 0 || reviewCents === 0
                ? labels.confirm.replace("%s", formatPrice(cents, locale))
                : labels.ask.replace("%s", formatPrice(reviewCents, locale))}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** What is refunded for a line, the first thing a person looks for. */
function LineAmounts({ line, labels }: { line: WithdrawLine; labels: WithdrawLabels }) {
  const { locale } = useSurface();
  return (
    <span className="figures flex flex-col items-end pt-2.5">
      {line.units > 0 && formatPrice(toCents(line.amount), locale)}
      {line.review_units > 0 && (
        <span className="text-13 text-quiet">
          {labels.reviewAmount.replace("%s", formatPrice(toCents(line.review_amount), locale))}
        </span>
      )}
    </span>
  );
}

/** Where the buyer lives, for those who live in another country than their order says. */
function StatedCountry({
  view,
  labels,
  country,
  onChoose,
}: {
  view: WithdrawView;
  labels: WithdrawLabels;
  country: string;
  onChoose: (country: string) => void;
}) {
  const { locale } = useSurface();
  // Server and browsers may name countries differently, so that only the browser does.
  const [countries, setCountries] = useState<Option[]>([]);
  useEffect(() => {
    void import("@/components/accounts/billing/country-options").then(({ countryOptions }) =>
      setCountries(countryOptions(locale)),
    );
  }, [locale]);
  const known = countries.find(({ value }) => value === view.country)?.label;
  return (
    <div className="max-w-96">
      <Select
        label={labels.country}
        hint={labels.countryHint}
        name="country"
        autoComplete="country"
        value={country}
        onChange={(event) => onChoose(event.target.value)}
        options={[{ value: "", label: known ?? labels.countryUnknown }, ...countries]}
      />
    </div>
  );
}

function Name({ line, lifetime }: { line: WithdrawLine; lifetime: string }) {
  const { locale } = useSurface();
  const { value, unit } = durationSpan(line.duration_days, locale);
  return (
    <>
      <span lang={line.language === locale ? undefined : line.language}>{line.product_name}</span>
      <span className="text-quiet"> · {line.duration_days === null ? lifetime : `${value} ${unit}`}</span>
    </>
  );
}

function partialHint(line: WithdrawLine, labels: WithdrawLabels): string | undefined {
  if (line.units === line.quantity) return undefined;
  if (line.units === 0) return labels.reasons[line.reason];
  const part = labels.part.replace("%u", String(line.units)).replace("%q", String(line.quantity));
  return `${part} ${labels.reasons[line.reason]}`;
}
