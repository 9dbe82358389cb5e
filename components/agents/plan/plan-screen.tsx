import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AddPasses } from "@/components/agents/buying/add-passes";
import { EnglishOnly } from "@/components/catalog/english-only";
import { countryNames } from "@/components/catalog/product/country-names";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { ButtonLink } from "@/components/ui/button";
import { DefinitionRows } from "@/components/ui/definition-rows";
import { Emblem } from "@/components/ui/emblem";
import { EmptyState } from "@/components/ui/empty-state";
import { JsonLd } from "@/components/ui/json-ld";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { Price } from "@/components/ui/price";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { PlannedPasses, ProductPlan } from "@/lib/agents/planning/contract";
import { LINKED_DAYS, PLAN_DAYS_MAX, type RefundDays } from "@/lib/agents/planning/rules";
import { planPath } from "@/lib/agents/planning/rules-path";
import type { PlanQuery } from "@/lib/agents/planning/rules-query";
import type { VipOption } from "@/lib/catalog/contract";
import { TASKS } from "@/lib/catalog/rules-tasks";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { formatPrice } from "@/lib/platform/money";
import { PlanForm } from "./plan-form";

type PlanView = {
  query: PlanQuery;
  /** null without a valid question */
  planned: PlannedPasses | null;
  jsonLd: unknown;
};

/** The planner: a form, the cheapest passes on a time line, and the refunds (docs/product.md#820-planning-by-days). */
export function PlanScreen({ query, planned, jsonLd }: PlanView) {
  const t = useTranslations("agents.plan");
  const { form, problems } = query;
  const errors = {
    ...(problems.includes("need") && { need: t("need_missing") }),
    ...(problems.includes("days") && { days: t("days_invalid", { max: PLAN_DAYS_MAX }) }),
    ...(problems.includes("budget") && { budget: t("budget_invalid") }),
  };
  const product = planned?.product ?? null;
  const labels = {
    need: t("need"),
    days: t("days"),
    budget: t("budget"),
    submit: t("submit"),
    needHint: t("need_hint"),
    optional: t("optional"),
  };
  return (
    <Page title={t("title")} lead={t("lead")}>
      <JsonLd of={jsonLd} />
      <PlanForm
        form={form}
        product={product && t("for_product", { name: product.product_name })}
        errors={errors}
        labels={labels}
      />
      {product && (
        <p className="pt-2">
          <Link href="/plan" className="text-link">
            {t("other_need")}
          </Link>
        </p>
      )}
      <div className="pt-10">
        {planned && query.input ? <Answer planned={planned} query={query} /> : <Examples />}
      </div>
    </Page>
  );
}

function Examples() {
  const t = useTranslations("agents.plan");
  const tasks = useTranslations("catalog.tasks");
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="pb-3 text-21">
        {t("examples")}
      </h2>
      <ul className="flex flex-col">
        {TASKS.map((task) => (
          <li key={task}>
            <Link
              href={planPath({ need: tasks(`${task}.query`), days: LINKED_DAYS })}
              rel="nofollow"
              className="text-link inline-flex min-h-11 items-center"
            >
              {t("example", { task: tasks(`${task}.text`), days: LINKED_DAYS })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answer({ planned, query }: { planned: PlannedPasses; query: PlanQuery }) {
  const { days, budget } = query.input!;
  const [first, ...others] = planned.plans;
  if (!first) return <Nothing planned={planned} query={query} />;
  return (
    <>
      <FirstPlan plan={first} days={days} budget={budget} path={planPath(filled(query))} />
      {others.length > 0 && <Others plans={others} days={days} />}
    </>
  );
}

/** The fields of the form that are not empty. */
const filled = ({ form }: PlanQuery) => Object.fromEntries(Object.entries(form).filter(([, value]) => value));

function Nothing({ planned: { product }, query }: { planned: PlannedPasses; query: PlanQuery }) {
  const t = useTranslations("agents.plan");
  const locale = useLocale();
  const { form, input } = query;
  const text = () => {
    if (input?.budget !== undefined)
      return t("nothing_budget", { budget: formatPrice(Math.round(input.budget * 100), locale) });
    if (product) return t("nothing_product", { name: product.product_name });
    return t("nothing_need", { need: form.need || form.product });
  };
  const search = form.need ? `/search?q=${encodeURIComponent(form.need)}` : "/top-trending";
  return (
    <EmptyState title={t("nothing_title")} action={<ButtonLink href={search}>{t("search")}</ButtonLink>}>
      {text()}
    </EmptyState>
  );
}

/** Consecutive passes of one kind, which are shown as one ticket. */
type Group = { pass: VipOption; from: number; to: number | null; count: number };

function toGroups(plan: ProductPlan): Group[] {
  const groups: Group[] = [];
  for (const { pass, from, to } of plan.passes) {
    const last = groups.at(-1);
    if (last?.pass.vip_id === pass.vip_id) Object.assign(last, { to, count: last.count + 1 });
    else groups.push({ pass, from, to, count: 1 });
  }
  return groups;
}

function FirstPlan({
  plan,
  days,
  budget,
  path,
}: {
  plan: ProductPlan;
  days: number;
  budget: number | undefined;
  path: string;
}) {
  const t = useTranslations("agents.plan");
  const errors = useTranslations("errors");
  const locale = useLocale();
  const passes = usePassLabels();
  const { product } = plan;
  const groups = toGroups(plan);
  const money = (cents: number) => formatPrice(cents, locale);
  const lang = foreignLanguage(product.product_name, product.language, locale);
  const first = groups[0]!.pass;
  const ticket = passes.ticket(first);
  return (
    <section
      aria-labelledby="plan"
      className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <header className="flex items-center gap-4">
          <Emblem src={product.product_image} size={72} className="flex-none rounded-control" />
          <div className="min-w-0">
            <h2 id="plan" className="text-28">
              <Link href={`/product/${product.slug}`} className="hover:underline">
                {t("heading", { name: product.product_name, days })}
              </Link>
            </h2>
            <p className="flex flex-wrap gap-x-3 text-quiet">
              {product.maker}
              <EnglishOnly of={product} />
            </p>
          </div>
        </header>
        <Shortfall plan={plan} days={days} budget={budget} />
        <Line groups={groups} days={days} />
        <ol aria-label={t("line")} className="flex flex-col gap-3">
          {groups.map((group) => (
            <li key={group.pass.vip_id}>
              <PassTicket group={group} />
            </li>
          ))}
        </ol>
        {plan.passes.length > 1 && <p className="text-13 text-quiet">{t("starts")}</p>}
      </div>
      <div className="flex flex-col gap-5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-17">{t("together")}</span>
          <span className="figures text-28 font-semibold">{money(plan.cents)}</span>
          <span className="figures w-full text-end text-quiet">
            {t("per_day", { price: money(plan.perDayCents) })}
          </span>
        </p>
        <AddPasses
          lines={groups.map(({ pass, count }) => ({
            product_id: product.product_id,
            vip_id: pass.vip_id,
            quantity: count,
          }))}
          pass={{
            name: product.product_name,
            ...(lang && { lang }),
            image: product.product_image,
            detail: passes.name(first),
            hero: ticket.hero,
            heroLabel: ticket.heroLabel,
            price: ticket.price,
          }}
          path={path}
          labels={{
            add: t("add"),
            added: t("added"),
            someAdded: t("some_added", { done: "%done", all: "%all" }),
            network: errors("network"),
          }}
        />
        <MoneyBack back={plan.back} />
      </div>
    </section>
  );
}

/** Says that not all days are covered, and why. */
function Shortfall({ plan, days, budget }: { plan: ProductPlan; days: number; budget: number | undefined }) {
  const t = useTranslations("agents.plan");
  const locale = useLocale();
  const { covered, fullCents } = plan;
  if (covered >= days) return null;
  if (fullCents === null || budget === undefined)
    return <Notice>{t("covered_stock", { covered, days })}</Notice>;
  const values = {
    budget: formatPrice(Math.round(budget * 100), locale),
    price: formatPrice(fullCents, locale),
  };
  return <Notice>{t("covered_budget", { ...values, covered, days })}</Notice>;
}

/** The passes as a row of lengths; the tickets below give the same information as text. */
function Line({ groups, days }: { groups: readonly Group[]; days: number }) {
  const length = ({ from, to }: Group) => Math.max(1, Math.min(to ?? days, days) - from + 1);
  return (
    <div aria-hidden="true" className="flex gap-1">
      {groups.map((group) => (
        <div
          key={group.pass.vip_id}
          style={{ flexGrow: length(group) }}
          className="flex h-7 min-w-9 basis-0 items-center justify-center rounded-small border border-control bg-raised"
        >
          <span className="figures text-13 text-quiet">
            {group.from === group.to
              ? group.from
              : `${group.from}–${group.to === null ? "∞" : Math.min(group.to, days)}`}
          </span>
        </div>
      ))}
    </div>
  );
}

function PassTicket({ group: { pass, from, to, count } }: { group: Group }) {
  const t = useTranslations("agents.plan");
  const refund = useTranslations("payments.refund");
  const locale = useLocale();
  const labels = usePassLabels();
  const { hero, heroLabel, price, perDay } = labels.ticket(pass);
  const name = labels.name(pass);
  const when = () => {
    if (to === null) return t("from_day", { from });
    return from === to ? t("one_day", { from }) : t("days_range", { from, to });
  };
  return (
    <TicketLine
      title={when()}
      subtitle={count > 1 ? t("count", { count, name }) : name}
      hero={hero}
      heroLabel={heroLabel}
      price={
        <Price
          text={count > 1 ? `${count} × ${price.text}` : price.text}
          {...(count === 1 && { list: price.list })}
        />
      }
      note={perDay}
    >
      <p className="text-13 text-quiet">
        {refundSentence(refund, pass.refund, locale)}
        {!pass.region.includes("worldwide") &&
          ` ${t("region", { countries: countryNames(pass.region, locale) })}`}
      </p>
    </TicketLine>
  );
}

function MoneyBack({ back }: { back: readonly RefundDays[] }) {
  const t = useTranslations("agents.plan");
  const locale = useLocale();
  const when = ({ from, to }: RefundDays, isLast: boolean): ReactNode => {
    if (to === 0) return t("back_before");
    if (isLast) return t("back_from", { from });
    return from === 0 ? t("back_by", { to }) : t("back_between", { from, to });
  };
  return (
    <section aria-labelledby="back">
      <h3 id="back" className="pb-1 text-17">
        {t("back")}
      </h3>
      {back.every(({ cents }) => cents === 0) ? (
        <p className="text-13 text-quiet">{t("back_none")}</p>
      ) : (
        <>
          <p className="pb-2 text-13 text-quiet">{t("back_lead")}</p>
          <DefinitionRows
            rows={back.map((entry, index) => ({
              term: when(entry, index === back.length - 1 && index > 0),
              value: <span className="figures">{formatPrice(entry.cents, locale)}</span>,
            }))}
          />
        </>
      )}
    </section>
  );
}

/** The plans with other products, each linking to its page. */
function Others({ plans, days }: { plans: readonly ProductPlan[]; days: number }) {
  const t = useTranslations("agents.plan");
  const locale = useLocale();
  const labels = usePassLabels();
  return (
    <section aria-labelledby="others" className="pt-12">
      <h2 id="others" className="pb-3 text-21">
        {t("others")}
      </h2>
      <ul className="divide-y divide-hairline border-y border-hairline">
        {plans.map((plan) => {
          const { product } = plan;
          const parts = toGroups(plan).map(({ pass, count }) =>
            count > 1 ? t("count", { count, name: labels.name(pass) }) : labels.name(pass),
          );
          return (
            <li key={product.product_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
              <Emblem src={product.product_image} size={48} className="rounded-control" />
              <span className="min-w-0 flex-1">
                <Link
                  href={planPath({ product: product.slug, days })}
                  rel="nofollow"
                  lang={foreignLanguage(product.product_name, product.language, locale)}
                  className="text-link font-medium"
                >
                  {product.product_name}
                </Link>
                <span className="block text-13 text-quiet">
                  {t("other", {
                    days: parts.join(" + "),
                    perDay: t("per_day", { price: formatPrice(plan.perDayCents, locale) }),
                  })}
                </span>
              </span>
              <span className="figures font-semibold">{formatPrice(plan.cents, locale)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
