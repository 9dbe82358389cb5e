"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { useConsoleAddress } from "@/components/console/link";
import { ShortDate } from "@/components/console/time";
import { commandsFor, isNamed, namedScreens, splitCommand } from "@/components/staff/find/commands";
import { useHitDetail } from "@/components/staff/find/hit-detail";
import type { ConsoleScreen } from "@/components/staff/screens";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { useSurface } from "@/components/ui/surface";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { FindHit } from "@/lib/staff/find/contract";

const TYPING_PAUSE_MS = 250;

/** The page of a hit. It names the record, never what was typed. */
function pathOf({ kind, id, vip_id, owner_id }: FindHit): string {
  if (kind === "customer") return `/console/customers/${id}`;
  // Its page has the coupon's terms and state; orders have it only once it was used.
  if (kind === "coupon" && owner_id !== null) return `/console/customers/${owner_id}`;
  if (kind === "product") return `/console/products?product_id=${id}`;
  if (kind === "merchant") return `/console/products?vendor=${encodeURIComponent(id)}`;
  if (kind === "coupon") return `/console/orders?coupon_code=${encodeURIComponent(id)}`;
  return kind === "key" && vip_id !== null ? `/console/keys?vip_id=${vip_id}` : `/console/orders/${id}`;
}

/** Finds by text, which is sent in the body of a call, because it may be an activation code. */
export function FindPalette({
  screens,
  roles,
  onClose,
}: {
  screens: readonly ConsoleScreen[];
  roles: readonly string[];
  onClose: () => void;
}) {
  const t = useTranslations("console.find");
  const frame = useTranslations("console.frame");
  const network = useTranslations("errors")("network");
  const detailOf = useHitDetail();
  const router = useRouter();
  const address = useConsoleAddress();
  const [text, setText] = useState("");
  const [hits, setHits] = useState<{ text: string; items: readonly FindHit[]; problem: string }>();
  const input = useRef<HTMLInputElement>(null);
  const commands = commandsFor(roles).map((command) => ({
    ...command,
    title: t(`commands.${command.name}.name`),
    words: [
      t(`commands.${command.name}.name`),
      t(`commands.${command.name}.words`),
      command.name.replaceAll("_", " "),
    ],
  }));
  const typed = text.trim();
  // "refund 0062": the order is looked for, and the command leads to it.
  const [toOrder] = commands.flatMap((command) => {
    const split = command.order && splitCommand(typed, command.words);
    return split ? [{ command, rest: split.rest }] : [];
  });
  const q = toOrder?.rest ?? typed;
  const found = namedScreens(typed, screens, ({ name }) => [frame(name), name]);
  const named = commands.filter(({ words }) => isNamed(typed, words));

  // The dialog focuses its first button when it opens.
  useEffect(() => input.current?.focus(), []);

  useEffect(() => {
    if (!q) return setHits(undefined);
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const result = await api.post("/admin/find", { q }, { networkMessage: network, signal: abort.signal });
      if (abort.signal.aborted) return;
      setHits({
        text: q,
        items: result.ok ? result.data.items : [],
        problem: result.ok ? "" : result.message,
      });
    }, TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [q, network]);

  const orderHits = (hits?.items ?? []).filter(({ order }) => order !== null);
  const open = (path: string) => {
    onClose();
    router.push(address(path));
  };
  const isSearching = q !== "" && hits?.text !== q;
  return (
    <Dialog open onClose={onClose} title={t("title")} closeLabel={t("close")}>
      <Command label={t("title")} shouldFilter={false} className="flex flex-col gap-3">
        <Command.Input
          ref={input}
          value={text}
          onValueChange={setText}
          placeholder={t("placeholder")}
          autoComplete="off"
          maxLength={500}
          className="control w-full"
        />
        {q === "" && <p className="text-13 text-quiet">{t("hint")}</p>}
        <ErrorNotice>{hits?.problem ?? ""}</ErrorNotice>
        <Command.List className="max-h-[50dvh] min-h-40 overflow-y-auto">
          {q === "" && (
            <Command.Group heading={<span className="text-13 text-quiet">{t("screens")}</span>}>
              {screens.map(({ path, name }) => (
                <Item key={path} value={path} onSelect={() => open(path)}>
                  {frame(name)}
                </Item>
              ))}
            </Command.Group>
          )}
          {isSearching && <Command.Loading>{t("searching")}</Command.Loading>}
          {found.map(({ path, name }) => (
            <Item key={path} value={path} onSelect={() => open(path)}>
              <Kind>{t("kind.screen")}</Kind>
              {frame(name)}
            </Item>
          ))}
          {named.map(({ name, title, path }) => (
            <Item
              key={name}
              value={`command ${name}`}
              onSelect={() => {
                if (path) open(path);
                else setText(`${t(`commands.${name}.words`).split(/[\s,、，]+/)[0]} `);
              }}
            >
              <Kind>{t("kind.command")}</Kind>
              {title}
              {!path && <span className="text-quiet">{t("then_number")}</span>}
            </Item>
          ))}
          {/* Drops the hits of an earlier text, so that Enter opens no unwanted record. */}
          {q !== "" &&
            !isSearching &&
            toOrder?.command.order &&
            orderHits.map(({ id, order }) => (
              <Item
                key={`${toOrder.command.name} ${id}`}
                value={`${toOrder.command.name} ${id}`}
                onSelect={() => open(toOrder.command.order!(order!.order_number))}
              >
                <Kind>{toOrder.command.title}</Kind>
                <OrderHit order={order!} />
              </Item>
            ))}
          {q !== "" &&
            !isSearching &&
            hits?.items
              .filter(({ order }) => !(toOrder && order))
              .map((hit) => (
                <Item
                  key={`${hit.kind} ${hit.id}`}
                  value={`${hit.kind} ${hit.id}`}
                  onSelect={() => open(pathOf(hit))}
                >
                  <Kind>{t(`kind.${hit.kind}`)}</Kind>
                  {hit.order ? (
                    <OrderHit order={hit.order} detail={hit.kind === "key" ? detailOf(hit) : null} />
                  ) : (
                    <span className="min-w-0 wrap-anywhere">
                      {hit.title}
                      {hit.detail && <span className="text-quiet">{` · ${detailOf(hit)}`}</span>}
                    </span>
                  )}
                </Item>
              ))}
          {q !== "" &&
            !isSearching &&
            hits?.items.length === 0 &&
            !hits.problem &&
            found.length + named.length === 0 && (
              <p className="py-6 text-center text-quiet">{t("nothing")}</p>
            )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

const Kind = ({ children }: { children: string }) => (
  <span className="w-24 flex-none text-13 text-quiet">{children}</span>
);

/** An order by number, day, pass, sum and state. */
function OrderHit({ order, detail }: { order: NonNullable<FindHit["order"]>; detail?: string | null }) {
  const statusName = useTranslations("console.order_status");
  const { locale } = useSurface();
  return (
    <span className="min-w-0 wrap-anywhere">
      <span className="font-medium">{order.order_number}</span>
      <span className="text-quiet">
        {" · "}
        <ShortDate at={order.at} />
        {` · ${order.pass}${order.more > 0 ? ` +${order.more}` : ""} · `}
        <span className="figures">{formatPrice(toCents(order.amount), locale)}</span>
        {` · ${statusName(order.status)}`}
        {detail && ` · ${detail}`}
      </span>
    </span>
  );
}

function Item(props: { value: string; onSelect: () => void; children: React.ReactNode }) {
  return (
    <Command.Item
      {...props}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 aria-selected:bg-tint"
    />
  );
}
