import { getTranslations } from "next-intl/server";

/** A notice on every page of a demo or sandbox shop (docs/product.md#15-modes). */
export async function ModeNotice({ demo, sandbox }: { demo: boolean; sandbox: boolean }) {
  if (!demo && !sandbox) return null;
  const t = await getTranslations("ui.mode");
  return (
    <aside
      aria-label={t("label")}
      className="demo-note border-b border-hairline bg-sunk px-4 py-1.5 text-center text-13 text-balance text-quiet"
    >
      {t(demo && sandbox ? "demo_sandbox" : demo ? "demo" : "sandbox")}
    </aside>
  );
}
