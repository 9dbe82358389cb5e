import { z } from "zod";
import { DECLARATION_STATES } from "@/lib/orders/withdrawal/rules-declaration";
import { ContentLanguage, Instant } from "@/lib/platform/api/fields";
import { Cursor, listOf } from "@/lib/platform/console/list";
import { SeenVersion, Version } from "@/lib/platform/console/version";

/** GET /admin/declarations: open ones, the oldest first; others the newest first. */
export const ConsoleDeclarationsInput = z.object({
  cursor: Cursor,
  state: z.enum(DECLARATION_STATES).default("open"),
});
export type ConsoleDeclarationsInput = z.output<typeof ConsoleDeclarationsInput>;

export const ConsoleDeclaration = z.object({
  declaration_id: z.string(),
  state: z.enum(DECLARATION_STATES),
  /** as typed */
  order_ref: z.string(),
  /** the order to which the address belongs; null: none */
  order_number: z.string().nullable(),
  email: z.string(),
  /** of the last declaration, its codes masked */
  name: z.string().nullable(),
  passes: z.string().nullable(),
  language: ContentLanguage,
  times: z.int(),
  declared_at: Instant,
  /** end of the statutory time for the refund */
  due_at: Instant,
  /** when it was proved or closed */
  ended_at: Instant.nullable(),
  closed_note: z.string().nullable(),
  version: Version,
});
export type ConsoleDeclaration = z.output<typeof ConsoleDeclaration>;
export const ConsoleDeclarationList = listOf(ConsoleDeclaration);
export type ConsoleDeclarationList = z.output<typeof ConsoleDeclarationList>;

export const DeclarationParams = z.object({ id: z.string().trim().min(1).max(64) });
/** POST /admin/declarations/{id}/close */
export const CloseDeclarationInput = SeenVersion.extend({ note: z.string().trim().min(3).max(500) });
export type CloseDeclarationInput = z.output<typeof CloseDeclarationInput>;
export const DeclarationDecided = z.object({ declaration_id: z.string() });
