import { z } from "zod";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { observe } from "@/lib/platform/telemetry/telemetry";
import { isInEu } from "./rules";
import { SANDBOX_VAT_IDS, type VatCheck } from "./rules-vat-id";
import { taxSettings } from "./tax-settings";

const TIMEOUT_MS = 5_000;

const Answer = z.object({
  isValid: z.boolean().optional(),
  userError: z.string().optional(),
  requestIdentifier: z.string().max(100).nullish(),
});

export type VatAnswer = {
  check: VatCheck;
  /** the number of the consultation, which the service gives who names its own id */
  reference: string | null;
  /** the service itself did not answer, so that no other id can be checked now */
  silent?: true;
};

/**
 * Asks the EU's service for VAT ids (VIES) about a well-formed id; in the sandbox its stand-in. `unchecked` when it does not answer, or
 * its member state does not: never an error.
 */
export async function checkVatId(vatId: string): Promise<VatAnswer> {
  const { PAYMENT_MODE, VIES_URL } = env();
  if (PAYMENT_MODE === "sandbox") return standIn(vatId);
  const settings = taxSettings();
  const own = settings && isInEu(settings.country) ? settings.ids[settings.country] : undefined;
  const requester = own
    ? `?${new URLSearchParams({ requesterMemberStateCode: own.slice(0, 2), requesterNumber: own.slice(2) })}`
    : "";
  const url = `${VIES_URL}/ms/${vatId.slice(0, 2)}/vat/${vatId.slice(2)}${requester}`;
  try {
    const response = await observe({ kind: "provider", name: "VIES" }, () =>
      fetch(url, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    );
    const { isValid, userError, requestIdentifier } = Answer.parse(await response.json());
    if (response.ok && isValid && userError === "VALID")
      return { check: "valid", reference: requestIdentifier || null };
    if (response.ok && isValid === false && userError === "INVALID")
      return { check: "invalid", reference: requestIdentifier || null };
    log.warn({ status: response.status, userError }, "a VAT id could not be checked");
  } catch (error) {
    log.warn({ err: error }, "a VAT id could not be checked");
    return { check: "unchecked", reference: null, silent: true };
  }
  return { check: "unchecked", reference: null };
}

/** Answers as VIES would: all well-formed ids are valid but two. */
function standIn(vatId: string): VatAnswer {
  if (vatId === SANDBOX_VAT_IDS.unchecked) return { check: "unchecked", reference: null };
  return { check: vatId === SANDBOX_VAT_IDS.invalid ? "invalid" : "valid", reference: `SANDBOX-${vatId}` };
}
