import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { importCoupons } from "@/lib/coupons/import/commands";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { inMemory, watchFile } from "@/lib/platform/imports/file";
import { exceedsFaceLimit } from "./commands";

type Options = Omit<Parameters<typeof importCoupons>[1], "faceLimitCents" | "onFaceValue"> & { name: string };

/** A file of coupons whose face value needs a second person, who approves it in the console. */
export class FaceValueError extends Error {}

/**
 * Imports a file of campaigns and coupons for an operator (`npm run coupons:import`). Coupons beyond what one person may add a
 * day need an approval of the same file, which somebody asked for in the console.
 * @throws FaceValueError
 */
export async function importCouponsByOperator(chunks: readonly Buffer[], { name, ...options }: Options) {
  let faceCents = 0;
  const onFaceValue = (cents: number) => {
    faceCents = cents;
  };
  const preview = await importCoupons(inMemory(chunks), {
    actor: options.actor,
    preview: true,
    confirmHeld: options.confirmHeld,
    onFaceValue,
    ...(options.preview && { onRefused: options.onRefused, onProgress: options.onProgress }),
  });
  if (options.preview) return preview;
  const { sha256 } = await watchFile(inMemory(chunks)).end();
  await transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${options.actor}`}, 0))`);
    if ((await exceedsFaceLimit(tx, options.actor, faceCents)) && !(await isFileApproved(sha256)))
      throw new FaceValueError();
    const detail = { kind: "coupons", name, sha256, faceCents };
    await audit({ actor: options.actor, action: "import.started", subject: newId("imp"), detail }, tx);
  });
  return importCoupons(inMemory(chunks), { ...options, faceLimitCents: faceCents });
}

/** Whether a second person has approved the import of this file, whoever asked. */
async function isFileApproved(sha256: string): Promise<boolean> {
  const approved = await db.execute(sql`
    select from approvals where kind = 'coupon_import' and state = 'approved' and expires_at > shop_now()
      and payload = ${JSON.stringify({ sha256 })}::jsonb limit 1`);
  return approved.length > 0;
}
