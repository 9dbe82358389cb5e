import { z } from "zod";

/** Names and payloads of the catalogue's jobs. */
export const MeasureSearch = { name: "measure-search", schema: z.unknown() };
