/**
 * Every script of Unicode 17 by its name in regular expressions, with the hexadecimal code point of a letter that fonts
 * for other scripts lack. Scripts added in later versions cause no warnings.
 */
const SAMPLES = `
  Adlam 1e922, Ahom 11700, Anatolian_Hieroglyphs 14400, Arabic 639, Armenian 531, Avestan 10b00, Balinese 1b13,
  Bamum a6a0, Bassa_Vah 16ad0, Batak 1bc0, Bengali 995, Beria_Erfe 16ebb, Bhaiksuki 11c00, Bopomofo 3105,
  Brahmi 11013, Braille 2803, Buginese 1a00, Buhid 1740, Canadian_Aboriginal 1401, Carian 102a0,
  Caucasian_Albanian 10530, Chakma 11103, Cham aa00, Cherokee 13a0, Chorasmian 10fb0, Coptic 2c81, Cuneiform 12000,
  Cypriot 10800, Cypro_Minoan 12f90, Cyrillic 416, Deseret 10428, Devanagari 915, Dives_Akuru 11900, Dogra 11800,
  Duployan 1bc00, Egyptian_Hieroglyphs 13000, Elbasan 10500, Elymaic 10fe0, Ethiopic 1200, Garay 10d4a,
  Georgian 10d0, Glagolitic 2c30, Gothic 10330, Grantha 11315, Greek 3a9, Gujarati a95, Gunjala_Gondi 11d60,
  Gurmukhi a15, Gurung_Khema 16100, Han 6c49, Hangul d55c, Hanifi_Rohingya 10d00, Hanunoo 1720, Hatran 108e0,
  Hebrew 5e9, Hiragana 3042, Imperial_Aramaic 10840, Inscriptional_Pahlavi 10b60, Inscriptional_Parthian 10b40,
  Javanese a98f, Kaithi 1108d, Kannada c95, Katakana 30ab, Kawi 11f02, Kayah_Li a90a, Kharoshthi 10a00,
  Khitan_Small_Script 18b00, Khmer 1780, Khojki 11200, Khudawadi 112b0, Kirat_Rai 16d43, Lao e81, Latin e9,
  Lepcha 1c00, Limbu 1900, Linear_A 10600, Linear_B 10000, Lisu a4d0, Lycian 10280, Lydian 10920, Mahajani 11150,
  Makasar 11ee0, Malayalam d15, Mandaic 840, Manichaean 10ac0, Marchen 11c72, Masaram_Gondi 11d00, Medefaidrin 16e60,
  Meetei_Mayek aae0, Mende_Kikakui 1e800, Meroitic_Cursive 109a0, Meroitic_Hieroglyphs 10980, Miao 16f00, Modi 11600,
  Mongolian 1820, Mro 16a40, Multani 11280, Myanmar 1000, Nabataean 10880, Nag_Mundari 1e4d0, Nandinagari 119a0,
  New_Tai_Lue 1980, Newa 1140e, Nko 7ca, Nushu 1b170, Nyiakeng_Puachue_Hmong 1e100, Ogham 1681, Ol_Chiki 1c5a,
  Ol_Onal 1e5d0, Old_Hungarian 10cc0, Old_Italic 10300, Old_North_Arabian 10a80, Old_Permic 10350, Old_Persian 103a0,
  Old_Sogdian 10f00, Old_South_Arabian 10a60, Old_Turkic 10c00, Old_Uyghur 10f70, Oriya b15, Osage 104d8,
  Osmanya 10480, Pahawh_Hmong 16b00, Palmyrene 10860, Pau_Cin_Hau 11ac0, Phags_Pa a840, Phoenician 10900,
  Psalter_Pahlavi 10b80, Rejang a930, Runic 16a0, Samaritan 800, Saurashtra a882, Sharada 11191, Shavian 10450,
  Siddham 11580, Sidetic 10940, SignWriting 1d800, Sinhala d9a, Sogdian 10f30, Sora_Sompeng 110d0, Soyombo 11a50,
  Sundanese 1b8a, Sunuwar 11bc0, Syloti_Nagri a800, Syriac 712, Tagalog 1700, Tagbanwa 1760, Tai_Le 1950,
  Tai_Tham 1a20, Tai_Viet aa80, Tai_Yo 1e6c0, Takri 11680, Tamil b95, Tangsa 16a70, Tangut 17000, Telugu c15,
  Thaana 780, Thai e01, Tibetan f40, Tifinagh 2d30, Tirhuta 1148f, Todhri 105c0, Tolong_Siki 11db0, Toto 1e290,
  Tulu_Tigalari 11380, Ugaritic 10380, Vai a500, Vithkuqi 10597, Wancho 1e2c0, Warang_Citi 118c0, Yezidi 10e80,
  Yi a000, Zanabazar_Square 11a00`;

export const SCRIPT_SAMPLES: Readonly<Record<string, number>> = Object.fromEntries(
  Array.from(SAMPLES.matchAll(/(\w+) (\w+)/g), ([, name, code]) => [name, Number.parseInt(code ?? '', 16)]),
);

/** Emoji do not belong to a script. The sample is not a face: text fonts contain some faces, but no other emoji. */
export const EMOJI = { name: 'Emoji', sample: 0x1f389 } as const;

/** Scripts in everyday use today (UAX #31, table 5), and emoji. */
export const EVERYDAY_SCRIPTS: ReadonlySet<string> = new Set(
  `
    Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya
    Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Han Bopomofo Hiragana Katakana Hangul ${EMOJI.name}`.match(
    /\w+/g,
  ),
);
