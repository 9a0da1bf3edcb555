/**
 * The words of numbers, a line per language: the value and its words. `*` stands for any ending,
 * `^3` for ten to the power of three after a number (thousand), `+` for a word that joins two.
 * The largest languages have all they need for any number; the others those of thousands and more.
 */
const words: Readonly<Record<string, string>> = {
  en: '+ and 0.5 half|halves 1 one|first|a 2 two|second 3 three|third* 4 four|fourth* 5 five|fifth* 6 six|sixth* 7 seven* 8 eight|eighth* 9 nine|ninth* 10 ten|tenth* 11 eleven* 12 twelve|twelfth*|dozen* 13 thirteen* 14 fourteen* 15 fifteen* 16 sixteen* 17 seventeen* 18 eighteen* 19 nineteen* 20 twent* 30 thirt* 40 fort*|fourty 50 fifty|fifti* 60 sixty|sixti* 70 seventy|seventi* 80 eighty|eighti* 90 ninety|nineti* ^2 hundred* ^3 thousand*|k ^5 lakh* ^6 million*|m|mln|mn ^7 crore* ^9 billion*|bn|b ^12 trillion*|tn',
  de: '+ und 0.5 halb* 1 ein|eins|eine|einer|einem|einen|erst* 2 zwei|zweit*|zwo 3 drei|dritt* 4 vier 5 fünf 6 sechs 7 sieben|siebt* 8 acht 9 neun 10 zehn 11 elf 12 zwölf|dutzend* 13 dreizehn 14 vierzehn 15 fünfzehn 16 sechzehn 17 siebzehn 18 achtzehn 19 neunzehn 20 zwanzig 30 dreißig|dreissig 40 vierzig 50 fünfzig 60 sechzig 70 siebzig 80 achtzig 90 neunzig ^2 hundert* ^3 tausend*|tsd ^6 million*|mio ^9 milliarde*|mrd ^12 billion* ^15 billiarde*',
  fr: '+ et 0.5 demi* 1 un|une|premi* 2 deux|deuxi* 3 trois|troisi* 4 quatre|quatri* 5 cinq|cinqu* 6 six|sixi* 7 sept|septi* 8 huit|huiti* 9 neuf|neuvi* 10 dix|dixi* 11 onze|onzi* 12 douze|douzi*|douzaine* 13 treiz* 14 quatorz* 15 quinz* 16 seiz* 20 vingt* 30 trent* 40 quarant* 50 cinquant* 60 soixant* 70 septant* 80 huitant*|octant* 90 nonant* ^2 cent|cents|centi*|centaine* ^3 mille|mill|millier*|milli ^6 million* ^9 milliard*|md|mds ^12 billion*',
  es: '+ y 0.5 medio|media 1 un|uno|una|primer* 2 dos|segund* 3 tres|tercer* 4 cuatro|cuart* 5 cinco|quint* 6 seis|sext* 7 siete|séptim* 8 ocho|octav* 9 nueve|noven* 10 diez|décim*|decena* 11 once 12 doce|docena* 13 trece 14 catorce 15 quince* 16 dieciséis|dieciseis 17 diecisiete 18 dieciocho 19 diecinueve 20 veinte*|veint 21 veintiun*|veintiún 22 veintidós|veintidos 23 veintitrés|veintitres 24 veinticuatro 25 veinticinco 26 veintiséis|veintiseis 27 veintisiete 28 veintiocho 29 veintinueve 30 treinta* 40 cuarenta* 50 cincuenta* 60 sesenta* 70 setenta* 80 ochenta* 90 noventa* 100 cien|ciento|cientos|centenar* 200 doscient* 300 trescient* 400 cuatrocient* 500 quinient* 600 seiscient* 700 setecient* 800 ochocient* 900 novecient* ^3 mil|miles|millar* ^6 millón|millon* ^12 billón|billon*',
  pt: '+ e 0.5 meio|meia 1 um|uma|primeir* 2 dois|duas|segund* 3 três|terceir* 4 quatro|quart* 5 cinco|quint* 6 seis|sext* 7 sete|sétim* 8 oito|oitav* 9 nove|non* 10 dez|dezena*|décim* 11 onze 12 doze|dúzia* 13 treze 14 quatorze|catorze 15 quinze* 16 dezesseis|dezasseis 17 dezessete|dezassete 18 dezoito 19 dezenove|dezanove 20 vinte|vigésim* 30 trinta|trigésim* 40 quarenta 50 cinquenta 60 sessenta 70 setenta 80 oitenta 90 noventa 100 cem|cento|centen* 200 duzent* 300 trezent* 400 quatrocent* 500 quinhent* 600 seiscent* 700 setecent* 800 oitocent* 900 novecent* ^3 mil|milhar* ^6 milhão|milhões|mi ^9 bilhão|bilhões|bi|milhar* ^12 trilhão|trilhões|bilião|biliões',
  it: '+ e 0.5 mezzo|mezza 1 un|uno|una|prim* 2 due|second* 3 tre|terz* 4 quattro|quart* 5 cinque|quint* 6 sei|sest* 7 sette|settim* 8 otto|ottav* 9 nove|non* 10 dieci|decin*|decim* 11 undici 12 dodici|dozzin* 13 tredic* 14 quattordic* 15 quindic* 16 sedic* 17 diciassett* 18 diciott* 19 diciannov* 20 vent|venti|ventin* 30 trent|trenta* 40 quarant|quaranta* 50 cinquant|cinquanta* 60 sessant|sessanta* 70 settant|settanta* 80 ottant|ottanta* 90 novant|novanta* ^2 cento|cent|centin* ^3 mille|mila|migliai* ^6 milion* ^9 miliard* ^12 bilion*',
  nl: '+ en|ën 0.5 half|halve 1 een|één|eerste 2 twee|tweede 3 drie|derde 4 vier 5 vijf 6 zes 7 zeven 8 acht 9 negen 10 tien 11 elf 12 twaalf|dozijn 13 dertien 14 veertien 15 vijftien 16 zestien 17 zeventien 18 achttien 19 negentien 20 twintig 30 dertig 40 veertig 50 vijftig 60 zestig 70 zeventig 80 tachtig 90 negentig ^2 honderd* ^3 duizend* ^6 miljoen*|mln ^9 miljard*|mrd ^12 biljoen*',
  ru: '+ и 0.5 пол|полов* 1 один|одн*|перв* 2 два|две|двух|двум*|втор* 3 три|трех|трёх|трем*|трём*|трет* 4 четыр*|четверт*|четвёрт* 5 пять|пяти|пятью|пят* 6 шест* 7 семь|семи|семью|седьм* 8 восемь|восьм* 9 девять|девяти|девят* 10 десят* 11 одиннадцат* 12 двенадцат*|дюжин* 13 тринадцат* 14 четырнадцат* 15 пятнадцат* 16 шестнадцат* 17 семнадцат* 18 восемнадцат* 19 девятнадцат* 20 двадцат* 30 тридцат* 40 сорок* 50 пятьдесят*|пятидесят* 60 шестьдесят*|шестидесят* 70 семьдесят*|семидесят* 80 восемьдесят*|восьмидесят* 90 девяност* 100 сто|ста|сот|сотн*|сот* 200 двест*|двухсот* 300 трист*|трехсот*|трёхсот* 400 четырест*|четырехсот* 500 пятьсот*|пятисот* 600 шестьсот*|шестисот* 700 семьсот*|семисот* 800 восемьсот*|восьмисот* 900 девятьсот*|девятисот* ^3 тысяч*|тыс ^6 миллион*|млн ^9 миллиард*|млрд ^12 триллион*|трлн',
  uk: '^2 сто|сотн* ^3 тисяч*|тис ^6 мільйон*|млн ^9 мільярд*|млрд ^12 трильйон*|трлн',
  pl: '+ i 0.5 pół 1 jeden|jedn*|pierwsz* 2 dwa|dwie|dwóch|drug* 3 trzy|trzech|trzec* 4 cztery|czterech|czwart* 5 pięć|pięciu|piąt* 6 sześć|sześciu|szóst* 7 siedem|siedmiu|siódm* 8 osiem|ośmiu|ósm* 9 dziewięć|dziewięciu|dziewiąt* 10 dziesięć|dziesięciu|dziesiąt* 11 jedenaś*|jedenast* 12 dwanaś*|dwunast* 13 trzynaś*|trzynast* 14 czternaś*|czternast* 15 piętnaś*|piętnast* 16 szesnaś*|szesnast* 17 siedemnaś*|siedemnast* 18 osiemnaś*|osiemnast* 19 dziewiętnaś*|dziewiętnast* 20 dwadzieścia|dwudziest* 30 trzydzie*|trzydziest* 40 czterdzie* 50 pięćdziesią* 60 sześćdziesią* 70 siedemdziesią* 80 osiemdziesią* 90 dziewięćdziesią* 100 sto|stu|set* 200 dwieście|dwustu 300 trzysta|trzystu 400 czterysta 500 pięćset* 600 sześćset* 700 siedemset* 800 osiemset* 900 dziewięćset* ^3 tysiąc*|tysię*|tys ^6 milion*|mln ^9 miliard*|mld ^12 bilion*',
  cs: '+ a 0.5 půl 1 jeden|jedn*|prvn* 2 dva|dvě|dvou|druh* 3 tři|tří|třet* 4 čtyři|čtyř|čtvrt* 5 pět|pěti|pát* 6 šest|šesti|šest* 7 sedm|sedm* 8 osm|osm* 9 devět|devět*|devát* 10 deset|deset*|desát* 11 jedenáct* 12 dvanáct*|tucet* 13 třináct* 14 čtrnáct* 15 patnáct* 16 šestnáct* 17 sedmnáct* 18 osmnáct* 19 devatenáct* 20 dvacet*|dvacát* 30 třicet*|třicát* 40 čtyřicet*|čtyřicát* 50 padesát* 60 šedesát* 70 sedmdesát* 80 osmdesát* 90 devadesát* ^2 sto|stě|sta|set|stovk* ^3 tisíc*|tis ^6 milion*|milión*|mil ^9 miliard*|mld ^12 bilion*',
  sv: '+ och 0.5 halv* 1 en|ett|första 2 två|andra 3 tre|tredje 4 fyra|fjärde 5 fem|femte 6 sex|sjätte 7 sju|sjunde 8 åtta|åttonde 9 nio|nionde 10 tio|tionde 11 elva 12 tolv|dussin* 13 tretton* 14 fjorton* 15 femton* 16 sexton* 17 sjutton* 18 arton* 19 nitton* 20 tjugo* 30 trettio* 40 fyrtio* 50 femtio* 60 sextio* 70 sjuttio* 80 åttio* 90 nittio* ^2 hundra* ^3 tusen* ^6 miljon*|mn ^9 miljard*|md ^12 biljon*',
  da: '^2 hundred* ^3 tusind* ^6 million*|mio ^9 milliard*|mia ^12 billion*',
  nb: '^2 hundre* ^3 tusen* ^6 million*|mill ^9 milliard*|mrd ^12 billion*',
  fi: '^2 sata|sado* ^3 tuhat*|tuhan* ^6 miljoona*|milj ^9 miljardi*|mrd ^12 biljoona*',
  et: '^2 sada|saja* ^3 tuhat*|tuhan* ^6 miljon*|mln ^9 miljard*|mld ^12 triljon*',
  hu: '^2 száz* ^3 ezer*|ezr* ^6 millió* ^9 milliárd* ^12 billió*',
  ro: '+ și 0.5 jumătate 13 treisprezece* 14 paisprezece* 15 cincisprezece* 16 șaisprezece* 17 șaptesprezece* 18 optsprezece* 19 nouăsprezece* 20 douăzeci* 30 treizeci* 40 patruzeci* 50 cincizeci* 60 șaizeci* 70 șaptezeci* 80 optzeci* 90 nouăzeci* 1 un|o|unu|una 2 doi|două 3 trei 4 patru 5 cinci 6 șase 7 șapte 8 opt 9 nouă 10 zece|zeci* ^2 sută|sute* ^3 mie|mii* ^6 milion*|milioane* ^9 miliard* ^12 trilion*',
  tr: '1 bir* 2 iki* 3 üç* 4 dört* 5 beş* 6 altı* 7 yedi* 8 sekiz* 9 dokuz* 10 on|onun* 20 yirmi* 30 otuz* 40 kırk* 50 elli* 60 altmış* 70 yetmiş* 80 seksen* 90 doksan* ^2 yüz* ^3 bin|binin*|binl* ^6 milyon* ^9 milyar* ^12 trilyon*',
  id: '0.5 setengah 1 satu|pertama 2 dua|kedua 3 tiga|ketiga 4 empat|keempat 5 lima|kelima 6 enam|keenam 7 tujuh|ketujuh 8 delapan|kedelapan 9 sembilan|kesembilan 10 sepuluh|kesepuluh 11 sebelas|kesebelas 12 selusin|lusin 100 seratus 1000 seribu 1000000 sejuta ^1 puluh* +10 belas ^2 ratus* ^3 ribu*|rb ^6 juta*|jt ^9 miliar*|milyar*|m ^12 triliun*',
  ar: '+ و 0.5 نصف 1 واحد* 2 اثن* 3 ثلاث* 4 أربع*|اربع* 5 خمس* 6 ست|ستة|سته 7 سبع|سبعة 8 ثمان|ثماني* 9 تسع|تسعة 10 عشر|عشرة 20 عشرون|عشرين* 30 ثلاثون|ثلاثين* 40 أربعون|أربعين*|اربعين 50 خمسون|خمسين* 60 ستون|ستين* 70 سبعون|سبعين* 80 ثمانون|ثمانين* 90 تسعون|تسعين* 200 مئتا*|مئتين|مائتا*|مائتين 300 ثلاثمائة|ثلاثمئة 400 أربعمائة|أربعمئة 500 خمسمائة|خمسمئة 600 ستمائة|ستمئة 700 سبعمائة|سبعمئة 800 ثمانمائة|ثمانمئة 900 تسعمائة|تسعمئة 2000 ألفان|ألفين 2000000 مليونان|مليونين ^2 مائة*|مئة*|مئات ^3 ألف*|الف*|آلاف ^6 مليون*|ملايين ^9 مليار*|بليون* ^12 تريليون*',
  hi: '0.5 आधा|आधी 1 एक|पहल* 2 दो|दूसर* 3 तीन|तीसर* 4 चार|चौथ* 5 पाँच*|पांच* 6 छह|छः|छठ* 7 सात* 8 आठ* 9 नौ|नौव* 10 दस|दसव* 11 ग्यारह* 12 बारह*|दर्जन* 13 तेरह* 14 चौदह* 15 पंद्रह*|पन्द्रह* 16 सोलह* 17 सत्रह* 18 अठारह*|अट्ठारह* 19 उन्नीस* 20 बीस* 21 इक्कीस* 22 बाईस*|बाइस* 23 तेईस*|तेइस* 24 चौबीस* 25 पच्चीस* 26 छब्बीस* 27 सत्ताईस*|सत्ताइस* 28 अट्ठाईस*|अट्ठाइस*|अठाईस* 29 उनतीस*|उन्तीस* 30 तीस* 31 इकतीस*|इकत्तीस* 32 बत्तीस* 33 तैंतीस* 34 चौंतीस* 35 पैंतीस* 36 छत्तीस* 37 सैंतीस* 38 अड़तीस* 39 उनतालीस*|उन्तालीस* 40 चालीस* 41 इकतालीस* 42 बयालीस* 43 तैंतालीस*|तिरालीस* 44 चवालीस*|चौवालीस* 45 पैंतालीस* 46 छियालीस* 47 सैंतालीस* 48 अड़तालीस* 49 उनचास*|उन्चास* 50 पचास* 51 इक्यावन* 52 बावन* 53 तिरपन* 54 चौवन* 55 पचपन* 56 छप्पन* 57 सत्तावन* 58 अट्ठावन*|अठावन* 59 उनसठ* 60 साठ* 61 इकसठ* 62 बासठ* 63 तिरसठ* 64 चौंसठ* 65 पैंसठ* 66 छियासठ* 67 सड़सठ* 68 अड़सठ* 69 उनहत्तर* 70 सत्तर* 71 इकहत्तर* 72 बहत्तर* 73 तिहत्तर* 74 चौहत्तर* 75 पचहत्तर* 76 छिहत्तर* 77 सतहत्तर* 78 अठहत्तर* 79 उनासी*|उन्यासी* 80 अस्सी* 81 इक्यासी* 82 बयासी* 83 तिरासी* 84 चौरासी* 85 पचासी* 86 छियासी* 87 सत्तासी*|सतासी* 88 अट्ठासी*|अठासी* 89 नवासी* 90 नब्बे* 91 इक्यानवे*|इक्यानबे* 92 बानवे*|बानबे* 93 तिरानवे*|तिरानबे* 94 चौरानवे*|चौरानबे* 95 पचानवे*|पंचानवे*|पचानबे* 96 छियानवे*|छियानबे* 97 सत्तानवे*|सत्तानबे* 98 अट्ठानवे*|अट्ठानबे* 99 निन्यानवे*|निन्यानबे* ^2 सौ ^3 हज़ार*|हजार* ^5 लाख*|लाखों ^6 मिलियन ^7 करोड़*|करोड* ^9 अरब|बिलियन ^11 खरब',
  ne: '0.5 आधा 1 एक 2 दुई 3 तीन 4 चार 5 पाँच|पांच 6 छ 7 सात 8 आठ 9 नौ 10 दश|दस* 11 एघार* 12 बाह्र* 13 तेह्र* 14 चौध* 15 पन्ध्र* 16 सोह्र* 17 सत्र* 18 अठार* 19 उन्नाइस* 20 बीस*|बिस* 24 चौबिस*|चौबीस* 25 पच्चीस* 30 तीस*|तिस* 40 चालीस*|चालिस* 50 पचास* 60 साठी* 70 सत्तरी* 80 असी* 90 नब्बे* ^2 सय* ^3 हजार* ^5 लाख* ^6 मिलियन ^7 करोड* ^9 अर्ब*|अरब*|बिलियन ^11 खर्ब*',
  bn: '0.5 আধা|অর্ধ 1 এক|প্রথম* 2 দুই|দুটি|দ্বিতীয়* 3 তিন* 4 চার|চারটি 5 পাঁচ* 6 ছয়* 7 সাত|সাতটি 8 আট|আটটি 9 নয়|নয়টি 10 দশ* 11 এগারো*|এগার* 12 বারো*|বার|ডজন* 13 তেরো*|তের 14 চৌদ্দ*|চোদ্দ* 15 পনেরো*|পনের* 16 ষোলো*|ষোল* 17 সতেরো*|সতের* 18 আঠারো*|আঠার* 19 উনিশ* 20 বিশ|বিশটি|কুড়ি* 21 একুশ* 22 বাইশ* 23 তেইশ* 24 চব্বিশ* 25 পঁচিশ* 26 ছাব্বিশ* 27 সাতাশ* 28 আটাশ|আটাশটি 29 ঊনত্রিশ*|উনত্রিশ* 30 ত্রিশ*|তিরিশ* 31 একত্রিশ* 32 বত্রিশ* 33 তেত্রিশ* 34 চৌত্রিশ* 35 পঁয়ত্রিশ* 36 ছত্রিশ* 37 সাঁইত্রিশ* 38 আটত্রিশ* 39 ঊনচল্লিশ*|উনচল্লিশ* 40 চল্লিশ* 41 একচল্লিশ* 42 বিয়াল্লিশ* 43 তেতাল্লিশ* 44 চুয়াল্লিশ* 45 পঁয়তাল্লিশ* 46 ছেচল্লিশ* 47 সাতচল্লিশ* 48 আটচল্লিশ* 49 ঊনপঞ্চাশ*|উনপঞ্চাশ* 50 পঞ্চাশ* 51 একান্ন* 52 বায়ান্ন* 53 তিপ্পান্ন* 54 চুয়ান্ন* 55 পঞ্চান্ন* 56 ছাপ্পান্ন* 57 সাতান্ন* 58 আটান্ন* 59 ঊনষাট*|উনষাট* 60 ষাট* 61 একষট্টি* 62 বাষট্টি* 63 তেষট্টি* 64 চৌষট্টি* 65 পঁয়ষট্টি* 66 ছেষট্টি* 67 সাতষট্টি* 68 আটষট্টি* 69 ঊনসত্তর*|উনসত্তর* 70 সত্তর* 71 একাত্তর* 72 বাহাত্তর* 73 তিয়াত্তর* 74 চুয়াত্তর* 75 পঁচাত্তর* 76 ছিয়াত্তর* 77 সাতাত্তর* 78 আটাত্তর* 79 ঊনআশি*|উনআশি* 80 আশি* 81 একাশি* 82 বিরাশি* 83 তিরাশি* 84 চুরাশি* 85 পঁচাশি* 86 ছিয়াশি* 87 সাতাশি* 88 অষ্টাশি* 89 ঊননব্বই*|উননব্বই* 90 নব্বই* 91 একানব্বই* 92 বিরানব্বই* 93 তিরানব্বই* 94 চুরানব্বই* 95 পঁচানব্বই* 96 ছিয়ানব্বই* 97 সাতানব্বই* 98 আটানব্বই* 99 নিরানব্বই* 100 একশ*|একশো 200 দুইশ*|দুশ* 300 তিনশ* 400 চারশ* 500 পাঁচশ* 600 ছয়শ* 700 সাতশ* 800 আটশ* 900 নয়শ* ^2 শ|শত|শো ^3 হাজার* ^5 লাখ*|লক্ষ* ^6 মিলিয়ন* ^7 কোটি* ^9 বিলিয়ন*',
  ur: '0.5 آدھا|آدھی|نصف 1 ایک|پہل* 2 دو|دوسر* 3 تین|تیسر* 4 چار|چوتھ* 5 پانچ* 6 چھ|چھے|چھٹ* 7 سات|ساتو* 8 آٹھ* 9 نو|نوی* 10 دس|دسو* 11 گیارہ* 12 بارہ*|درجن* 13 تیرہ* 14 چودہ* 15 پندرہ* 16 سولہ* 17 سترہ* 18 اٹھارہ* 19 انیس* 20 بیس* 21 اکیس* 22 بائیس* 23 تیئیس*|تئیس* 24 چوبیس* 25 پچیس* 26 چھبیس* 27 ستائیس* 28 اٹھائیس* 29 انتیس* 30 تیس* 31 اکتیس* 32 بتیس* 33 تینتیس* 34 چونتیس* 35 پینتیس* 36 چھتیس* 37 سینتیس* 38 اڑتیس* 39 انتالیس* 40 چالیس* 41 اکتالیس* 42 بیالیس* 43 تینتالیس* 44 چوالیس* 45 پینتالیس* 46 چھیالیس* 47 سینتالیس* 48 اڑتالیس* 49 انچاس* 50 پچاس* 51 اکاون* 52 باون* 53 ترپن* 54 چون 55 پچپن* 56 چھپن* 57 ستاون* 58 اٹھاون* 59 انسٹھ* 60 ساٹھ* 61 اکسٹھ* 62 باسٹھ* 63 ترسٹھ* 64 چونسٹھ* 65 پینسٹھ* 66 چھیاسٹھ* 67 سڑسٹھ* 68 اڑسٹھ* 69 انہتر* 70 ستر* 71 اکہتر* 72 بہتر 73 تہتر* 74 چوہتر* 75 پچہتر* 76 چھہتر* 77 ستتر* 78 اٹھتر* 79 اناسی* 80 اسی 81 اکاسی* 82 بیاسی* 83 تراسی* 84 چوراسی* 85 پچاسی* 86 چھیاسی* 87 ستاسی* 88 اٹھاسی* 89 نواسی* 90 نوے* 91 اکانوے* 92 بانوے* 93 ترانوے* 94 چورانوے* 95 پچانوے* 96 چھیانوے* 97 ستانوے* 98 اٹھانوے* 99 ننانوے* ^2 سو ^3 ہزار* ^5 لاکھ* ^6 ملین ^7 کروڑ* ^9 ارب|بلین ^11 کھرب',
  fa: '^2 صد ^3 هزار* ^6 میلیون* ^9 میلیارد* ^12 تریلیون*',
  si: '^2 සිය* ^3 දහස*|දාහ* ^5 ලක්ෂ* ^6 මිලියන* ^7 කෝටි* ^9 බිලියන*',
  vi: '^2 trăm ^3 nghìn|ngàn ^6 triệu ^9 tỷ|tỉ',
  zh: '0.5 半 0 零〇 1 一壹 2 二贰貳两兩 3 三叁參 4 四肆 5 五伍 6 六陆陸 7 七柒 8 八捌 9 九玖 ^1 十拾 ^2 百佰 ^3 千仟 ^4 万萬 ^8 亿億 ^12 兆',
  ja: '0.5 半 0 零〇 1 一壱 2 二弐 3 三参 4 四 5 五 6 六 7 七 8 八 9 九 ^1 十拾 ^2 百 ^3 千 ^4 万萬 ^8 億 ^12 兆',
  ko: '0 영|공|제로 1 일|하나|한|첫 2 이|둘|두 3 삼|셋|세 4 사|넷|네 5 오|다섯 6 육|륙|여섯 7 칠|일곱 8 팔|여덟 9 구|아홉 10 열 20 스물|스무 30 서른 40 마흔 50 쉰 60 예순 70 일흔 80 여든 90 아흔 ^1 십 ^2 백 ^3 천 ^4 만 ^8 억 ^12 조',
}

/** `unit`: its value; `power`: of ten; `joins`: between two; `teen`: makes 15 of 5. */
export type NumberWord = {
  readonly unit?: number
  readonly power?: number
  readonly joins?: true
  readonly teen?: true
}

export type Lexicon = {
  readonly exact: ReadonlyMap<string, NumberWord>
  readonly stems: ReadonlyMap<string, NumberWord>
}

const aliases: Readonly<Record<string, string>> = {
  no: 'nb',
  nn: 'nb',
  yue: 'zh',
  wuu: 'zh',
  sk: 'cs',
  ms: 'id',
}
const read = new Map<string, Lexicon>()

/** Undefined for a language without a table. */
export function lexiconOf(base: string): Lexicon | undefined {
  const name = aliases[base] ?? base
  const found = read.get(name)
  if (found) return found
  const table = words[name]
  if (table === undefined) return undefined
  const lexicon = readTable(table, name === 'zh' || name === 'ja')
  read.set(name, lexicon)
  return lexicon
}

function readTable(table: string, isSigns: boolean): Lexicon {
  const exact = new Map<string, NumberWord>()
  const stems = new Map<string, NumberWord>()
  const cells = table.split(' ')
  for (let at = 0; at < cells.length; at += 2) {
    const [key = '', forms = ''] = [cells[at], cells[at + 1]]
    const word = wordOf(key)
    for (const form of isSigns ? forms : forms.split('|'))
      if (form.endsWith('*')) stems.set(form.slice(0, -1), word)
      else exact.set(form, word)
  }
  return { exact, stems }
}

function wordOf(key: string): NumberWord {
  if (key === '+') return { joins: true }
  if (key === '+10') return { teen: true }
  return key.startsWith('^') ? { power: Number(key.slice(1)) } : { unit: Number(key) }
}
