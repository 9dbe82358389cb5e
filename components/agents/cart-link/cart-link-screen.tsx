import { useLocale, useTranslations } from "next-intl";
import { AddPasses } from "@/components/agents/buying/add-passes";
import { OrderPasses } from "@/components/agents/buying/order-passes";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { ButtonLink } from "@/components/ui/button";
import { Emblem } from "@/components/ui/emblem";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Page } from "@/components/ui/page";
import { Price } from "@/components/ui/price";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import type { AgentCartLine, PricedAgentCart } from "@/lib/agents/carts/contract";
import { foreignLanguage } from "@/lib/catalog/translation/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { formatPrice, toDecimal } from "@/lib/platform/money";

type Props = {
  /** null if the address has no valid cart */
  cart: (PricedAgentCart & { agent: string }) | null;
  /** this page's address, for the return from a sign-in */
  path: string;
};

/** The passes that an assistant selected, which the shopper can order as they are or add to the cart. */
export function CartLinkScreen({ cart, path }: Props) {
  const t = useTranslations("agents.cart_link");
  if (!cart || cart.lines.length === 0)
    return (
      <Page title={t("title")}>
        <EmptyState
          title={t("unknown")}
          action={<ButtonLink href="/top-trending">{t("all_passes")}</ButtonLink>}
        >
          {t("unknown_text")}
        </EmptyState>
      </Page>
    );
  const { lines, missing, agent } = cart;
  const buyable = lines.filter(({ problem }) => problem === null);
  return (
    <Page title={t("title")} lead={agent === "unknown" ? t("lead") : t("lead_by", { agent })}>
      <div className="grid items-start gap-x-14 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-3">
          {missing.length > 0 && <Notice>{t("missing", { count: missing.length })}</Notice>}
          {lines.map((line) => (
            <LinkedPass key={line.plan.vip_id} line={line} />
          ))}
        </div>
        {buyable.length > 0 ? <Buying lines={buyable} path={path} /> : <Notice>{t("nothing_left")}</Notice>}
      </div>
    </Page>
  );
}

function LinkedPass({
  line: { product, plan, quantity, unitCents, problem, most },
}: {
  line: AgentCartLine;
}) {
  const t = useTranslations("agents.cart_link");
  const answers = useTranslations("agents.answers");
  const refund = useTranslations("payments.refund");
  const locale = useLocale();
  const labels = usePassLabels();
  const { hero, heroLabel, perDay } = labels.ticket(plan);
  const unit = formatPrice(unitCents, locale);
  return (
    <TicketLine
      title={product.product_name}
      href={`/product/${product.slug}?plan=${plan.vip_id}`}
      lang={foreignLanguage(product.product_name, product.language, locale)}
      level="h2"
      subtitle={`${product.maker} · ${labels.name(plan)}`}
      emblem={<Emblem src={product.product_image} size={80} className="rounded-control" />}
      hero={hero}
      heroLabel={heroLabel}
      price={<Price text={quantity > 1 ? t("units", { quantity, price: unit }) : unit} />}
      note={perDay}
    >
      <p className="text-13 text-quiet">{refundSentence(refund, plan.refund, locale)}</p>
      {problem && <p className="text-13 text-bad">{answers(problem, { most })}</p>}
    </TicketLine>
  );
}

function Buying({ lines, path }: { lines: readonly AgentCartLine[]; path: string }) {
  const t = useTranslations("agents.cart_link");
  const plan = useTranslations("agents.plan");
  const errors = useTranslations("errors");
  const locale = useLocale();
  const labels = usePassLabels();
  const cents = lines.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0);
  const first = lines[0]!;
  const ticket = labels.ticket(first.plan);
  const lang = foreignLanguage(first.product.product_name, first.product.language, locale);
  const pass = {
    name: first.product.product_name,
    ...(lang && { lang }),
    image: first.product.product_image,
    detail: labels.name(first.plan),
    hero: ticket.hero,
    heroLabel: ticket.heroLabel,
    price: ticket.price,
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-baseline justify-between gap-4">
        <span className="text-17">{plan("together")}</span>
        <span className="figures text-28 font-semibold">{formatPrice(cents, locale)}</span>
      </p>
      <OrderPasses
        passes={lines.map(({ plan: { vip_id }, quantity }) => ({ vip_id, quantity }))}
        total={toDecimal(cents)}
        pass={pass}
        path={path}
        labels={{ order: t("order"), network: errors("network") }}
      />
      <AddPasses
        lines={lines.map(({ product, plan: { vip_id }, quantity }) => ({
          product_id: product.product_id,
          vip_id,
          quantity,
        }))}
        pass={pass}
        path={path}
        look="secondary"
        labels={{
          add: t("add"),
          added: plan("added"),
          someAdded: plan("some_added", { done: "%done", all: "%all" }),
          network: errors("network"),
        }}
      />
      <p className="text-13 text-quiet">{t("note")}</p>
    </div>
  );
}
