import { z } from "zod";

/** Seals all custody events without a seal. */
export const SealAllCustody = { name: "seal-all-custody", schema: z.unknown() };
