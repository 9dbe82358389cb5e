import type { SentEvent } from "@/lib/webhooks/rules";

/** `sale.created` → the key of its text, `about.sale_created`. */
export const aboutKey = <T extends SentEvent>(event: T) =>
  `about.${event.replace(".", "_") as Underscored<T>}` as const;

type Underscored<T extends string> = T extends `${infer Noun}.${infer Verb}` ? `${Noun}_${Verb}` : never;
