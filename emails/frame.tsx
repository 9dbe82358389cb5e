import type { ReactNode } from "react";
import { Body, Container, Head, Html, Link, Preview } from "react-email";
import { HTML_LANG, type Locale } from "@/lib/platform/i18n/locales";
import { DARK_CSS, LIGHT } from "./colours";
import { Quiet } from "./parts";
import type { BulkOptions, MailContext } from "./template";

const FONTS: Record<Locale, string> = {
  en: '"Instrument Sans",-apple-system,"Segoe UI",Helvetica,Arial,sans-serif',
  zh: '-apple-system,"PingFang SC","Microsoft YaHei","Noto Sans SC","Noto Sans CJK SC",sans-serif',
  ja: '-apple-system,"Hiragino Sans","Yu Gothic",Meiryo,"Noto Sans JP","Noto Sans CJK JP",sans-serif',
};

const RESPONSIVE_CSS = `@media (min-width:520px){.line{font-size:17px!important}}
@media (max-width:480px){.frame{padding:20px 14px!important}.inner{padding-left:18px!important;padding-right:18px!important}}
:lang(ja){word-break:auto-phrase;line-break:strict}:lang(zh){line-break:strict}h1{text-wrap:balance}`;

type FrameProps = {
  title: string;
  preview: string;
  context: MailContext;
  /** the reason of an email that is not bulk */
  why: string;
  bulk?: BulkOptions;
  children: ReactNode;
};

/** The layout of every email: the shop's name above, its promise and the reason for the email below. */
export function Frame({ title, preview, context, why, bulk, children }: FrameProps) {
  const { t, locale, gap, brand, seller, link } = context;
  const fontStyle = { fontFamily: FONTS[locale], color: LIGHT.ink };
  const quietLink = { className: "quiet", style: { color: LIGHT.quiet, textDecoration: "underline" } };
  return (
    <Html lang={HTML_LANG[locale]}>
      <Head>
        <title>{title}</title>
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        {/* Keeps clients from linking codes as telephone numbers, dates or addresses. */}
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <style>{DARK_CSS + RESPONSIVE_CSS}</style>
      </Head>
      <Body className="paper" style={{ ...fontStyle, margin: 0, padding: 0, backgroundColor: LIGHT.paper }}>
        <Preview>{preview}</Preview>
        <Container className="paper" style={{ ...fontStyle, maxWidth: 600 }}>
          <div className="frame" style={{ padding: "32px 20px" }}>
            <Link
              href={link("/")}
              className="ink"
              style={{ color: LIGHT.ink, fontSize: 17, fontWeight: 600, textDecoration: "none" }}
              data-skip-in-text="true"
            >
              {brand}
            </Link>
            {children}
            <div
              className="edge"
              style={{ borderTop: `1px solid ${LIGHT.hairline}`, marginTop: 36, paddingTop: 16 }}
            >
              <Quiet>{t("frame.promise")}</Quiet>
              {bulk ? (
                <Quiet>
                  {t("frame.why_bulk", { brand })}
                  {gap}
                  <Link {...quietLink} href={link(bulk.unsubscribePath)}>
                    {t("frame.unsubscribe")}
                  </Link>
                </Quiet>
              ) : (
                <Quiet>{why}</Quiet>
              )}
              <Quiet>{seller}</Quiet>
              <Quiet>
                <Link {...quietLink} href={link("/")}>
                  {link("/")}
                </Link>
              </Quiet>
            </div>
          </div>
        </Container>
      </Body>
    </Html>
  );
}
