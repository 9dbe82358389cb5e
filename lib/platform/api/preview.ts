import { z } from "zod";

/** Declares that a call can be previewed: `previewable: effects` (lib/staff/preview). */
export type Previewable<E extends z.ZodType = z.ZodType> = {
  effect: E;
  /** Finds the effects of an action without performing it. */
  find(action: () => Promise<unknown>): Promise<z.input<E>[]>;
};

const Preview = z.boolean().default(false);

/** The body of a call that can be previewed: `preview: true` only returns the effects. */
export type PreviewedBody<B extends z.ZodObject | undefined> = z.ZodObject<
  (B extends z.ZodObject<infer Shape> ? Shape : Record<never, never>) & { preview: typeof Preview }
>;
/** The result of such a call: `effects` are null when it was performed, `result` is null in a preview. */
export type PreviewedResult<R extends z.ZodType, E extends z.ZodType> = z.ZodObject<{
  effects: z.ZodNullable<z.ZodArray<E>>;
  result: z.ZodNullable<R>;
}>;

export const previewedBody = (body: z.ZodObject = z.object({})) => body.extend({ preview: Preview });

export const previewedResult = <R extends z.ZodType, E extends z.ZodType>(
  result: R,
  effect: E,
): PreviewedResult<R, E> =>
  z.object({
    /** what the action would do; null when it was performed */
    effects: z.array(effect).nullable(),
    /** null in a preview */
    result: result.nullable(),
  });
