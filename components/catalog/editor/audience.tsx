"use client";

import { createContext, type ReactNode, useContext } from "react";

/** Who edits: merchants have their own calls, and no fields that the shop sets. */
export type EditorAudience = "staff" | "merchant";

const Audience = createContext<EditorAudience>("staff");

export const AudienceProvider = ({
  audience,
  children,
}: {
  audience: EditorAudience;
  children: ReactNode;
}) => <Audience value={audience}>{children}</Audience>;

export const useAudience = (): EditorAudience => useContext(Audience);

/** The call that takes and shows pictures. */
export const useImageCall = (): "/admin/images" | "/merchant/images" =>
  useAudience() === "staff" ? "/admin/images" : "/merchant/images";

/** The address of a picture that the shop has, by its hash. */
export function useImagePath(): (hash: string) => string {
  const path = useImageCall();
  return (hash) => `/api/v1${path}/${hash}`;
}
