/** Traditional Chinese characters and, at the same places, their simplified forms: those that texts about software use. */
const TRADITIONAL =
  "會議記錄譯動畫圖編輯簡報軟體資庫數據網頁設計語聲韻樂視頻電腦檔書寫學習課題試驗測評論閱讀誦詞單複練錯誤檢對話講說談聽訓導師員職場業務團隊專項時間備製錶護衛碼證鑰隱連線絡遠傳輸發郵筆" +
  "掃識別轉換訊號雜處壓縮邊緣圓點條質風樣顏調亂變顯螢鏡頭攝劇鏈營銷廣標產銀價買賣費貴優錢幣節約達訂賬帳戶協險稅財統關係聯應開機啟運種類當個們這為麼後來過還進選擇創實現賽獎盤陣歷歸緊張" +
  "彈鋼譜詩腳擬態漢簽審勝訴訟權國際歐亞灣東義離請紹薦獵壞舊麗補殘損復臉濾燈陰擺裝飾傢牆貼紙塗鴉繪雲誌監竊釣魚騙殺駭兒長輩親屬遺園區塊鎖遊戲樓層鋪滿貓養醫療藥臨聞訪問採環農車輛輪島嶼圍" +
  "門從眾無準確擴縣參與觀賓館廚廳饗廢棄術彙總結紀匯幹淨淚滅獨獲瀏覽燒將絲綠紅藍黃麥齊龍鳥魯氣曆潤澤讓佈佔側傑債傷儀億兩凍劃劍勞勢嗎嚴壽夠夾奪婦宮寧寬寶尋屜嶄幫廠彎徑憂憶懷懶戰拋捲掛揚" +
  "摳撥擊擋攤敗斷曉極構槍橋檯歡殼決沒況淺湯溫滾漿潔潛濕瀉災煙煉熱爭狀獸瑪畢盜硯禮稱積穩範築籃糧糾純紛細終組給綜緩縱織繞繼續罰羅聖聰肅脫艙藝虧螞蟲裡襯規託註詢該詳諮諧謝譽讚豐負貢貨責賴" +
  "購贈趕跡踐軌輕載輔辦迴適遞鄰釋鈴鉛鋒鍵鐵閃閉閒階隨雖雙難靜預頓領頸額飯飲餘駕騎驅髮鬆鮮鹽麵";
const SIMPLIFIED =
  "会议记录译动画图编辑简报软体资库数据网页设计语声韵乐视频电脑档书写学习课题试验测评论阅读诵词单复练错误检对话讲说谈听训导师员职场业务团队专项时间备制表护卫码证钥隐连线络远传输发邮笔" +
  "扫识别转换讯号杂处压缩边缘圆点条质风样颜调乱变显荧镜头摄剧链营销广标产银价买卖费贵优钱币节约达订账帐户协险税财统关系联应开机启运种类当个们这为么后来过还进选择创实现赛奖盘阵历归紧张" +
  "弹钢谱诗脚拟态汉签审胜诉讼权国际欧亚湾东义离请绍荐猎坏旧丽补残损复脸滤灯阴摆装饰家墙贴纸涂鸦绘云志监窃钓鱼骗杀骇儿长辈亲属遗园区块锁游戏楼层铺满猫养医疗药临闻访问采环农车辆轮岛屿围" +
  "门从众无准确扩县参与观宾馆厨厅飨废弃术汇总结纪汇干净泪灭独获览览烧将丝绿红蓝黄麦齐龙鸟鲁气历润泽让布占侧杰债伤仪亿两冻划剑劳势吗严寿够夹夺妇宫宁宽宝寻屉崭帮厂弯径忧忆怀懒战抛卷挂扬" +
  "抠拨击挡摊败断晓极构枪桥台欢壳决没况浅汤温滚浆洁潜湿泻灾烟炼热争状兽玛毕盗砚礼称积稳范筑篮粮纠纯纷细终组给综缓纵织绕继续罚罗圣聪肃脱舱艺亏蚂虫里衬规托注询该详咨谐谢誉赞丰负贡货责赖" +
  "购赠赶迹践轨轻载辅办回适递邻释铃铅锋键铁闪闭闲阶随虽双难静预顿领颈额饭饮余驾骑驱发松鲜盐面";

const SIMPLIFIED_FORMS: ReadonlyMap<string, string> = new Map(
  [...TRADITIONAL].map((letter, i) => [letter, [...SIMPLIFIED][i]!] as const),
);

/** Katakana follow hiragana at this distance in Unicode. */
const KATAKANA_OFFSET = 0x60;
const HIRAGANA_WORD = /^[\u3041-\u3096\u30fc]{3,}$/u;

/** Other spellings of a Chinese or Japanese word: simplified for traditional characters, katakana for hiragana. */
export function spellingVariants(word: string): string[] {
  if (HIRAGANA_WORD.test(word))
    return [
      word.replace(/[\u3041-\u3096]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_OFFSET)),
    ];
  const simplified = [...word].map((letter) => SIMPLIFIED_FORMS.get(letter) ?? letter).join("");
  return simplified === word ? [] : [simplified];
}
