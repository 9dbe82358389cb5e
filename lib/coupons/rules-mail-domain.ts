/**
 * Mail providers where people of all kinds have an address: their domains say nothing about who claims. A domain that is
 * missing here only has fewer coupons a day (CLAIMS_PER_DAY in lib/coupons/rules.ts).
 */
const MAIL_PROVIDERS = new Set(
  `gmail.com googlemail.com outlook.com outlook.jp hotmail.com hotmail.co.jp hotmail.co.uk hotmail.fr hotmail.it hotmail.es
  live.com live.jp live.cn live.co.uk live.nl msn.com yahoo.com yahoo.co.jp ymail.ne.jp yahoo.co.uk yahoo.co.in yahoo.fr
  yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.com.mx yahoo.com.tw yahoo.com.hk yahoo.com.au ymail.com rocketmail.com
  icloud.com me.com mac.com appleid.com aol.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de
  mailbox.org posteo.de proton.me protonmail.com pm.me tutanota.com tuta.com fastmail.com zoho.com zohomail.com mail.com
  hey.com duck.com mozmail.com hushmail.com mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com 139.com 189.cn wo.cn 21.cn tom.com
  docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp vodafone.ne.jp ymobile.ne.jp rakuten.jp rakumail.jp uqmobile.jp nifty.com
  biglobe.ne.jp so-net.ne.jp ocn.ne.jp plala.or.jp dion.ne.jp excite.co.jp infoseek.jp goo.jp eonet.ne.jp asahi-net.or.jp
  naver.com hanmail.net daum.net kakao.com nate.com orange.fr free.fr laposte.net sfr.fr wanadoo.fr bbox.fr
  libero.it virgilio.it tin.it alice.it tiscali.it comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net
  charter.net spectrum.net earthlink.net btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com rogers.com shaw.ca
  bell.net telus.net videotron.ca bigpond.com telstra.com optusnet.com.au iinet.net.au xtra.co.nz uol.com.br bol.com.br
  terra.com.br rediffmail.com seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl ziggo.nl kpnmail.nl planet.nl telenet.be
  skynet.be bluewin.ch telefonica.net movistar.es telia.com telenor.no abv.bg freemail.hu citromail.hu sapo.pt otenet.gr
  walla.co.il singnet.com.sg hinet.net pchome.com.tw pacific.net.hk netvigator.com`.split(/\s+/),
);

/** Second labels of country domains under which names are registered, such as `co.jp`. */
const SECOND_LEVELS = new Set("ac ad co com ed edu go gob gov gr lg mil ne net nom or org".split(" "));

/**
 * The registered domain of an address, under which one person can make any number of mailboxes; null for a mail provider.
 * `a@x1.shop.example` and `b@x2.shop.example` have the same one.
 */
export function mailDomain(email: string): string | null {
  const labels = email
    .slice(email.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const domain = labels.slice(top.length === 2 && SECOND_LEVELS.has(second) ? -3 : -2).join(".");
  return MAIL_PROVIDERS.has(domain) ? null : domain;
}
