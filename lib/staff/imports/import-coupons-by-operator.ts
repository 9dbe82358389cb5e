import { transaction } from "@/db/client";
import { importCoupons } from "@/lib/coupons/import-coupons";
import { audit } from "@/lib/platform/audit";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import { newId } from "@/lib/platform/crypto/ids";
import { inMemory, watchFile } from "@/lib/platform/imports/file";
import { takeApproval } from "@/lib/staff/approvals/take-approval";
import { exceedsLimit } from "./importers";

type Options = Omit<Parameters<typeof importCoupons>[1], "faceLimitCents" | "onFaceValue"> & { name: string };

/** A file of coupons whose face value needs a second person, who approves it in the console. */
export class FaceValueError extends Error {}

/**
 * Imports a file of campaigns and coupons for an operator (`npm run coupons:import`). Coupons beyond what one person
 * may add in a day need an approval of the same file, requested in the console, which they use up.
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
    const today = await lockSumOfDay(tx, options.actor, "coupon_cents");
    const approval = exceedsLimit("coupon_cents", today, faceCents)
      ? await takeApproval(tx, { by: options.actor }, "coupon_import", { sha256 })
      : null;
    if (!approval && exceedsLimit("coupon_cents", today, faceCents)) throw new FaceValueError();
    const detail = { kind: "coupons", name, sha256, faceCents, ...(approval && { approval_id: approval }) };
    await audit({ actor: options.actor, action: "import.started", subject: newId("imp"), detail }, tx);
  });
  return importCoupons(inMemory(chunks), { ...options, faceLimitCents: faceCents });
}
