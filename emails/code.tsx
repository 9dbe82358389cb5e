import { LIGHT } from "./colours";

const MONO = 'ui-monospace,"SF Mono",SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';

/** The font size by the characters that fit one line of a 360 px screen; wider screens use 17 px (frame.tsx). */
const FITS: readonly (readonly [characters: number, fontSize: number])[] = [
  [25, 17],
  [29, 15],
  [36, 12],
];

/** A code, shown exactly: no ligatures, hyphenation, translation or collapsed spaces. A click selects all of it. */
export function Code({ value, label, size }: { value: string; label: string; size?: number }) {
  const fit = FITS.find(([characters]) => value.length <= characters);
  return (
    <div style={{ marginTop: size ? 22 : 10 }}>
      <div className="quiet" style={{ color: LIGHT.quiet, fontSize: 13, lineHeight: "20px" }}>
        {label}
      </div>
      <div
        className="sunk"
        style={{ backgroundColor: LIGHT.sunk, borderRadius: 10, padding: "10px 13px", marginTop: 4 }}
      >
        <code
          className={`ink notranslate${fit && !size ? " line" : ""}`}
          translate="no"
          lang="en"
          dir="ltr"
          style={{
            color: LIGHT.ink,
            fontFamily: MONO,
            fontSize: size ?? fit?.[1] ?? 13,
            lineHeight: size ? "1.3" : "24px",
            fontWeight: 600,
            letterSpacing: size ? "0.12em" : undefined,
            fontVariantLigatures: "none",
            hyphens: "none",
            ...(fit ? { whiteSpace: "pre" } : { whiteSpace: "pre-wrap", wordBreak: "break-all" }),
            WebkitUserSelect: "all",
            userSelect: "all",
          }}
        >
          {value}
        </code>
      </div>
    </div>
  );
}
