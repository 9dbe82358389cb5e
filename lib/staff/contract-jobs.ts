import { z } from "zod";

/** Seals all entries of the audit log without a seal. */
export const SealAllAudit = { name: "seal-all-audit", schema: z.unknown() };
