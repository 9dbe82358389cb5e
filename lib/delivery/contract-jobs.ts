import { z } from "zod";

/** Names and payloads of the delivery jobs. */
export const SealCustody = { name: "seal-custody", schema: z.unknown() };
export const SealAllCustody = { name: "seal-all-custody", schema: z.unknown() };
export const SendPassReminders = { name: "remind-passes", schema: z.unknown() };
