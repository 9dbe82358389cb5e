import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { Activation } from "@/db/schema/catalog";
import type { PassType } from "@/lib/catalog/rules";
import { productImagePath } from "@/lib/catalog/rules";
import { activationFor } from "@/lib/catalog/rules-text";
import type { Locale } from "@/lib/i18n";
import type { UserViewer } from "@/lib/session";
import { unseal } from "@/lib/vault";
import type { LibraryItem, LibraryList } from "./contract";
import { MASKED_CODE } from "./rules";

type LibraryRow = {
  id: string;
  order_id: string;
  order_line_id: string;
  product_id: number;
  slug: string;
  name: string;
  translated: boolean;
  image: string;
  maker: string;
  pass_type: PassType;
  duration_days: number | null;
  assigned_at: string;
  first_revealed_at: string | null;
  redeem_by: string | null;
  refund_asked: boolean;
  activation: Activation;
  now: string;
};

const iso = (text: string) => new Date(text).toISOString();

/** SQL: the refund of this order line is asked for and not decided, so that its codes are shown to nobody. */
export const refundAsked = (line: string) =>
  sql.raw(`exists (select from refund_requests q where q.order_line_id = ${line}.id and q.state = 'asked')`);

/** The passes that one owns (decisions.md, Shapes: Library): those whose clock ends first come first. */
export async function listLibrary(viewer: UserViewer, locale: Locale): Promise<LibraryList> {
  const rows = await db.execute<LibraryRow>(sql`
    select k.id, l.order_id, k.order_line_id, p.id as product_id, p.slug, coalesce(t.name, e.name) as name,
      t.locale is not null as translated, p.image, p.maker, l.pass_type, l.duration_days, k.assigned_at,
      k.first_revealed_at, k.redeem_by, ${refundAsked("l")} as refund_asked, coalesce(pl.activation, p.activation) as activation, shop_now() as now
    from keys k
    join order_lines l on l.id = k.order_line_id
    join orders o on o.id = l.order_id
    join products p on p.id = l.product_id
    join plans pl on pl.id = l.plan_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where o.user_id = ${viewer.userId} and k.state = 'assigned'
    order by k.first_revealed_at + make_interval(days => l.duration_days) asc nulls last, k.assigned_at desc, k.id
    limit 500`);
  const items = rows.map((row) => toLibraryItem(row, locale));
  return { items, total: items.length, server_time: iso(rows[0]?.now ?? new Date().toISOString()) };
}

function toLibraryItem(row: LibraryRow, locale: Locale): LibraryItem {
  const revealed = row.first_revealed_at ? new Date(row.first_revealed_at) : null;
  const ends =
    revealed && row.duration_days !== null ? revealed.getTime() + row.duration_days * 86_400_000 : null;
  return {
    library_id: row.id,
    order_id: row.order_id,
    order_product_id: row.order_line_id,
    product_id: row.product_id,
    slug: row.slug,
    product_name: row.name,
    product_image: productImagePath(row.product_id, row.image),
    language: row.translated ? locale : "en",
    maker: row.maker,
    vip_type: row.pass_type,
    duration_days: row.duration_days,
    masked_code: MASKED_CODE,
    assigned_at: iso(row.assigned_at),
    revealed_at: revealed?.toISOString() ?? null,
    redeem_by: row.redeem_by && iso(row.redeem_by),
    refund_asked: row.refund_asked,
    ends_at: ends === null ? null : new Date(ends).toISOString(),
    activation: activationFor(row.activation, locale),
  };
}

export type MailedKey = { keyId: string; lineId: string; code: string; redeemBy: Date | null };

/**
 * The codes of given keys in clear, for the mail that delivers them (the second place that decrypts); not those that
 * were given back, or are about to be.
 */
export async function openKeysForMail(tx: Db, keyIds: string[]): Promise<MailedKey[]> {
  if (keyIds.length === 0) return [];
  const rows = await tx.execute<{
    id: string;
    order_line_id: string;
    sealed: Buffer;
    vault_key_id: string;
    redeem_by: string | null;
  }>(sql`
    select k.id, k.order_line_id, k.sealed, k.vault_key_id, k.redeem_by
    from keys k join order_lines l on l.id = k.order_line_id
    where k.id in ${keyIds} and k.state = 'assigned' and not ${refundAsked("l")} order by k.order_line_id, k.slot`);
  return rows.map((row) => ({
    keyId: row.id,
    lineId: row.order_line_id,
    code: unseal(row.id, { sealed: row.sealed, vaultKeyId: row.vault_key_id }),
    redeemBy: row.redeem_by ? new Date(row.redeem_by) : null,
  }));
}
