"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { EmptyList } from "@/components/accounts/billing/empty-list";
import { RemoveButton } from "@/components/accounts/billing/remove-button";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import type { CardView } from "@/lib/payments/cards/contract";
import { brandName, expiryText, isExpired } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";
import { CardAdd } from "./card-add";

export function StoredCards({
  initial,
  returned,
}: {
  initial: CardView[] | null;
  returned: string | undefined;
}) {
  const t = useTranslations("payments.cards");
  const { cards, problem, load, setCards } = useCards(initial);
  const [adding, setAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // The provider's parameters are removed from the URL. Their message is shown once and must not be shared.
  useEffect(() => {
    if (returned) history.replaceState(history.state, "", location.pathname);
  }, [returned]);

  function added(card: CardView) {
    setCards((previous) => [
      card,
      ...(previous ?? []).filter((other) => other.payment_id !== card.payment_id),
    ]);
    close();
    showToast(t("added"), "good");
  }
  function close() {
    setAdding(false);
    setTimeout(() => addButton.current?.focus());
  }
  const addCardButton = (
    <Button ref={addButton} onClick={() => setAdding(true)}>
      <Icon name="plus" size={18} />
      {t("add")}
    </Button>
  );

  return (
    <section aria-labelledby="cards-title" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="cards-title" ref={heading} tabIndex={-1} className="text-21 outline-none">
          {t("title")}
        </h2>
        {!adding && cards && cards.length > 0 && addCardButton}
      </div>
      {returned && (
        <Notice kind={returned === "succeeded" ? "good" : "bad"} live>
          {t(returned === "succeeded" ? "added" : "refused")}
        </Notice>
      )}
      <ErrorNotice
        title={t("unread_title")}
        action={<Button onClick={() => void load()}>{t("again")}</Button>}
      >
        {problem}
      </ErrorNotice>
      {!cards && !problem && (
        <div role="status" className="rounded-ticket border border-hairline bg-raised px-5 py-4">
          <span className="sr-only">{t("reading")}</span>
          <Skeleton className="h-5 w-40" />
          <Skeleton className="mt-2 h-4 w-28" />
        </div>
      )}
      {cards?.length === 0 && !adding && (
        <EmptyList title={t("empty_title")} action={addCardButton}>
          {t("empty_text")}
        </EmptyList>
      )}
      {cards && cards.length > 0 && (
        <ul className="divide-y divide-hairline rounded-ticket border border-hairline bg-raised">
          {cards.map((card) => (
            <StoredCard
              key={card.payment_id}
              card={card}
              onRemoved={() => {
                setCards((previous) => previous?.filter((other) => other !== card) ?? null);
                heading.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      {adding && <CardAdd onAdded={added} onClose={close} />}
    </section>
  );
}

/** The cards from the server rendering, or loaded on the client when there are none. */
function useCards(initial: CardView[] | null) {
  const network = useTranslations("errors")("network");
  const [cards, setCards] = useState(initial);
  const [problem, setProblem] = useState("");
  const load = useCallback(async () => {
    setProblem("");
    const result = await api.get("/payment/cards", {}, { networkMessage: network });
    if (result.ok) setCards(result.data.cards);
    else setProblem(result.message);
  }, [network]);
  useEffect(() => {
    if (initial === null) void load();
  }, [initial, load]);
  return { cards, problem, load, setCards };
}

function StoredCard({ card, onRemoved }: { card: CardView; onRemoved: () => void }) {
  const t = useTranslations("payments.cards");
  const brand = brandName(card.brand) ?? t("card");
  const expired = isExpired(card, new Date());
  const name = t("ending", { brand, last4: card.last4 });
  return (
    <li className="flex items-center gap-4 py-3 pr-2 pl-5">
      <Icon name="card" size={22} className="text-quiet" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          <span className="sr-only">{name}</span>
          <span aria-hidden="true" className="figures">
            {brand} <span className="tracking-wider">••••</span> {card.last4}
          </span>
        </p>
        <p className={`text-13 ${expired ? "text-warn" : "text-quiet"}`}>
          {t(expired ? "expired" : "expires", { date: expiryText(card) })}
        </p>
      </div>
      <RemoveButton
        path="/auth/payment/delete"
        body={{ payment_id: card.payment_id }}
        labels={{
          button: t("remove"),
          accessibleName: t("remove_named", { name }),
          title: t("remove_title", { name }),
          text: t("remove_text"),
          done: t("removed"),
          keep: t("keep"),
          close: t("close"),
        }}
        onDone={onRemoved}
      />
    </li>
  );
}
