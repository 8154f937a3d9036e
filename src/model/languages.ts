// The languages of Weblate 2026.10.1, in the order of their ids from 1 on (transcript languages__read). The
// texts below are read at the first use.

export interface Language {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly plural: { readonly number: number; readonly formula: string; readonly type: number };
  readonly aliases: readonly string[];
  readonly direction: string;
  readonly population: number;
}

/** The number of languages. */
export const languageCount = 799;

let known: ReturnType<typeof readAll> | undefined;

export const languages = () => (known ??= readAll());

function readAll() {
  const list: readonly Language[] = rows.split('\n').map((row, n) => read(row, n + 1));
  return { list, byCode: new Map(list.map((language) => [language.code, language])) };
}

function read(row: string, id: number): Language {
  const [code = '', name = '', plural = '', population = '', aliases = ''] = row.split('\t');
  const [number = '', type = '', formula = ''] = (plurals.split('\n')[Number(plural)] ?? '').split('\t');
  return {
    id,
    code,
    name,
    plural: { number: Number(number), formula, type: Number(type) },
    aliases: aliases.split(' ').filter(Boolean),
    direction: rightToLeft.has(code) ? 'rtl' : 'ltr',
    population: Number(population),
  };
}

const rightToLeft = new Set(
  'ae aeb aii apc apd ar ar_BH ar_DZ ar_EG ar_KW ar_LY ar_Latn ar_MA ar_SA ar_XB ar_YE arc arq ars arz azb bal bej bgn bqi brh chg ckb ckb_IQ ckb_IR dcc dv egy fa glk ha hac haz he he_IL hnd hno jpr jrb ks lad lki lrc luz mey mfa ms_Arab mzn nqo ota pa_PK pal phn prs ps rhg rmt sam sd sdh skr swb syc syr ug ur ur_IN ur_PK yi'.split(
    ' ',
  ),
);

// In each line: number of forms, type, formula.
const plurals = `2	1	n != 1
1	0	0
2	1	n > 1
6	12	n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5
6	12	(n == 0) ? 0 : ((n == 1) ? 1 : ((n == 2) ? 2 : ((n % 100 >= 3 && n % 100 <= 10) ? 3 : ((n % 100 >= 11 && n % 100 <= 99) ? 4 : 5))))
3	22	n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2
3	11	(n == 0) ? 0 : ((n == 1) ? 1 : 2)
5	10	(n % 10 == 1 && n % 100 != 11 && n % 100 != 71 && n % 100 != 91) ? 0 : ((n % 10 == 2 && n % 100 != 12 && n % 100 != 72 && n % 100 != 92) ? 1 : ((((n % 10 == 3 || n % 10 == 4) || n % 10 == 9) && (n % 100 < 10 || n % 100 > 19) && (n % 100 < 70 || n % 100 > 79) && (n % 100 < 90 || n % 100 > 99)) ? 2 : ((n != 0 && n % 1000000 == 0) ? 3 : 4)))
2	1	n != 1 && n != 2 && n != 3 && (n % 10 == 4 || n % 10 == 6 || n % 10 == 9)
3	22	(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2
3	22	n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2
6	12	(n==0) ? 0 : (n==1) ? 1 : (n==2) ? 2 : (n==3) ? 3 :(n==6) ? 4 : 5
4	6	(n % 100 == 1) ? 0 : ((n % 100 == 2) ? 1 : ((n % 100 == 3 || n % 100 == 4) ? 2 : 3))
5	10	n==1 ? 0 : n==2 ? 1 : (n>2 && n<7) ? 2 :(n>6 && n<11) ? 3 : 4
4	6	(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n > 2 && n < 20) ? 2 : 3
3	4	n==1 ? 0 : n==2 ? 1 : 2
4	6	(n % 10 == 1) ? 0 : ((n % 10 == 2) ? 1 : ((n % 100 == 0 || n % 100 == 20 || n % 100 == 40 || n % 100 == 60 || n % 100 == 80) ? 2 : 3))
4	6	(n == 1) ? 0 : ((n == 2) ? 1 : ((n > 10 && n % 10 == 0) ? 2 : 3))
2	1	n % 10 != 1 || n % 100 == 11
3	4	(n == 1) ? 0 : ((n == 2) ? 1 : 2)
3	11	n==0 ? 0 : n==1 ? 1 : 2
6	12	(n == 0) ? 0 : ((n == 1) ? 1 : (((n % 100 == 2 || n % 100 == 22 || n % 100 == 42 || n % 100 == 62 || n % 100 == 82) || n % 1000 == 0 && (n % 100000 >= 1000 && n % 100000 <= 20000 || n % 100000 == 40000 || n % 100000 == 60000 || n % 100000 == 80000) || n != 0 && n % 1000000 == 100000) ? 2 : ((n % 100 == 3 || n % 100 == 23 || n % 100 == 43 || n % 100 == 63 || n % 100 == 83) ? 3 : ((n != 1 && (n % 100 == 1 || n % 100 == 21 || n % 100 == 41 || n % 100 == 61 || n % 100 == 81)) ? 4 : 5))))
3	20	(n == 1) ? 0 : ((n != 0 && n % 1000000 == 0) ? 1 : 2)
3	22	(n % 10 == 1 && (n % 100 < 11 || n % 100 > 19)) ? 0 : ((n % 10 >= 2 && n % 10 <= 9 && (n % 100 < 11 || n % 100 > 19)) ? 1 : 2)
3	7	n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2
3	11	(n % 10 == 0 || n % 100 >= 11 && n % 100 <= 19) ? 0 : ((n % 10 == 1 && n % 100 != 11) ? 1 : 2)
2	1	n==1 || n%10==1 ? 0 : 1
4	8	n==1 ? 0 : n==0 || ( n%100>1 && n%100<11) ? 1 : (n%100>10 && n%100<20 ) ? 2 : 3
3	2	n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2
3	2	(n == 1) ? 0 : ((n == 0 || n % 100 >= 2 && n % 100 <= 19) ? 1 : 2)
3	4	n == 1 ? 0 : n == 2 ? 1 : 2
4	6	(n % 10 == 1 && n % 100 != 11) ? 0 : ((n == 2) ? 1 : ((n != 2 && n % 10 >= 2 && n % 10 <= 9 && (n % 100 < 11 || n % 100 > 19)) ? 2 : 3))
3	2	(n == 0 || n == 1) ? 0 : ((n >= 2 && n <= 10) ? 1 : 2)
4	6	n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3
2	1	n >= 2 && (n < 11 || n > 99)`;

// In each line: code, name, the index of the line in `plurals`, population, aliases.
const rows = `aa	Afar	0	2305971	aar
ab	Abkhazian	0	111858	abk
abr	Abron	0	1729455	
ace	Acehnese	1	3941867	
ach	Acholi	2	1823471	
ada	Adangme	0	1037673	
ady	Adyghe	2	451988	
ae	Avestan	0	0	ave
aeb	Arabic (Tunisian)	3	10843920	ajt
af	Afrikaans	0	9966164	af_za afr
afh	Afrihili	0	0	
agr	Aguaruna	0	56584	agr_pe
aii	Assyrian Neo-Aramaic	0	232300	
ain	Ainu (Japan)	0	10	
ak	Akan	2	13489749	aka
akk	Akkadian	0	0	
ale	Aleut	0	200	
aln	Albanian (Gheg)	0	1463046	
alt	Altai (Southern)	0	19714	
am	Amharic	2	39176975	am_et amh
ami	Amis	0	215000	
an	Aragonese	0	24585	arg
ang	English (Old)	0	0	ang@latin
anp	Angika	0	740000	
apc	Arabic (Levantine)	3	43682528	ajp
apd	Arabic (Sudanese)	3	30785053	
ar	Arabic	3	378792526	ar_aa ar_ar ara arb
ar_BH	Arabic (Bahrain)	3	1363194	
ar_DZ	Arabic (Algeria)	3	34796650	
ar_EG	Arabic (Egypt)	3	104572180	eg
ar_KW	Arabic (Kuwait)	3	3138360	
ar_LY	Arabic (Libya)	3	5447332	
ar_Latn	Arabic (Latin script)	3	378792526	ar@latin ar@latn
ar_MA	Arabic (Morocco)	3	23180312	ary
ar_SA	Arabic (Saudi Arabia)	3	36544400	
ar_XB	Arabic (XB pseudolocale)	3	0	
ar_YE	Arabic (Yemen)	3	23783896	
arc	Aramaic	0	0	
arn	Mapudungun	2	279970	
arp	Arapaho	0	1000	
arq	Arabic (Algerian)	4	39028675	
ars	Arabic (Najdi)	4	1096332	
arw	Arawak	0	2500	
arz	Arabic (Egyptian)	4	71198080	
as	Assamese	2	18318690	as_in asm
asa	Asu	0	809545	
ast	Asturian	0	614645	ast_es
av	Avaric	0	549201	ava
avk	Kotava	0	50	
awa	Awadhi	0	27458162	
ay	Aymara	1	2984003	aym ayr
ayc	Aymara (Southern)	0	0	
az	Azerbaijani	0	10101162	az_az aze azj
azb	Azerbaijani (Southern)	0	14640650	az_ir
ba	Bashkir	0	1830673	ba_ck bak
bal	Baluchi	0	8751140	bcc
ban	Balinese	0	5068116	
bar	Bavarian	0	22819828	
bas	Basa (Cameroon)	0	371593	
bbc	Batak Toba	0	2590370	
bci	Baoulé	0	3297998	
be	Belarusian	5	2991098	be_by bel by xbelorussian
be_Latn	Belarusian (Latin script)	5	2991098	be@latin be_rby by_lat
bej	Beja	0	2725234	
bem	Bemba	0	7071694	
ber	Berber	0	17000000	
bew	Betawi	0	5912802	
bez	Bena	0	1146855	
bg	Bulgarian	0	7684020	bg_bg bgr bul
bgc	Haryanvi	0	16909560	
bgn	Balochi (Western)	0	2186207	
bh	Bihari	2	63000000	bih
bhb	Bhili	0	1690955	
bhi	Bhilali	0	1296399	
bho	Bhojpuri	2	34639016	
bi	Bislama	0	286206	bis
bik	Bikol	0	3548310	bcl
bin	Bini	0	1680903	
bjj	Kanauji	0	7891128	
bjn	Banjar	0	4228269	
bla	Siksika	0	6595	
blo	Anii	6	57468	
bm	Bambara	1	10115676	bam
bn	Bengali	2	279893704	bd ben bn_bd
bn_BD	Bengali (Bangladesh)	2	165323060	
bn_IN	Bengali (India)	2	114139530	
bnt	Bantu (Other)	0	0	
bo	Tibetan	1	3061778	bo_bt bod tib
bo_CN	Tibetan (China)	1	2832080	
bqi	Luri (Bakhtiari)	0	1237416	
br	Breton	7	567509	br_fr bre
bra	Braj	0	57774	
brb	Brao	0	0	
brh	Brahui	0	3280732	
brx	Bodo	0	1972782	
bs	Bosnian	5	3760683	bos bs_ba
bs_Cyrl	Bosnian (Cyrillic script)	5	3760683	
bs_Latn	Bosnian (Latin script)	5	3760683	bs_latn_ba
bua	Buriat	0	309806	bxr
bug	Buginese	0	4532298	
bum	Bulu (Cameroon)	0	1424440	
byn	Bilen	0	82471	
ca	Catalan	0	8218781	ca_ca ca_es ca_ps cat
ca@valencia	Valencian	0	8218781	ca_es@valencia ca_valencia ca_xv va val_es
ca_AD	Catalan (Andorra)	0	43538	
cad	Caddo	0	0	
cak	Kaqchikel	0	1606457	
car	Galibi Carib	0	10000	
cdo_Hans	Mindong (Simplified Han script)	1	0	
cdo_Hant	Mindong (Traditional Han script)	1	0	cdo cdo_hani
cdo_Latn	Mindong (Latin script)	1	0	
ce	Chechen	0	929418	che
ceb	Cebuano	8	28386480	
cgg	Chiga	0	2661282	
ch	Chamorro	0	46498	cha
chb	Chibcha	0	0	
chg	Chagatai	0	0	
chk	Chuukese	0	29880	
chm	Mari	0	521037	
chn	Chinook jargon	0	1	
cho	Choctaw	0	11284	
chp	Chipewyan	0	12414	
chr	Cherokee	0	26331	
chy	Cheyenne	0	2400	
ckb	Kurdish (Sorani)	0	5606845	
ckb_IQ	Kurdish (Sorani, Iraq)	0	5050008	
ckb_IR	Kurdish (Sorani, Iran)	0	556837	
cnr	Montenegrin	5	232600	me sr_me
cnr_Cyrl	Montenegrin (Cyrillic script)	5	232600	me_cyrl
co	Corsican	0	164099	cos
cop	Coptic	0	6674820	
cpe	Creoles and pidgins (English based)	0	0	
cpf	Creoles and pidgins (French-based)	0	0	
cpp	Creoles and pidgins (Portuguese-based)	9	0	
cpx_Hans	Puxian (Simplified Han script)	1	0	
cpx_Hant	Puxian (Traditional Han script)	1	0	cpx
cpx_Latn	Puxian (Latin script)	1	0	
cr	Cree	0	5043	cre cwd
crh	Crimean Tatar	1	199706	
crp	Creoles and pidgins	0	0	
cs	Czech	9	13236057	ces cs_cs cs_cz csy cz cze
csb	Kashubian	10	50370	
csw	Cree (Swampy)	2	4655	
cu	Slavonic (Old Church)	0	0	chu
cv	Chuvash	6	1830673	chv
cy	Welsh	11	920984	cy_gb cym wel
da	Danish	0	7247744	da_da da_dk dan dk
dak	Dakota	0	21688	
dar	Dargwa	0	366134	
dcc	Deccan	0	13950386	
de	German	0	141873196	de_de deu deu_de ger
de@formal	German (formal)	0	141873196	de_de_x_formal de_fo de_form
de@informal	German (informal)	0	141873196	de_de_x_informal
de_1901	German (old spelling)	0	0	
de_AT	German (Austria)	0	8698940	
de_CH	German (Switzerland)	0	6734033	des
de_LU	German (Luxembourg)	0	422890	
del	Delaware	0	0	umu
den	Slave (Athapascan)	0	2327	xsl
dgr	Dogrib	0	2133	
din	Dinka	0	1365900	dik
dje	Zarma	0	4478276	
dnj	Dan	0	1628814	daf
dnk	Dengka	0	0	
doi	Dogri	2	2818260	dgo
dru	Rukai	0	10500	
dry	Darai	0	0	
dsb	Lower Sorbian	12	6981	
dua	Duala	0	148637	
dum	Dutch (Middle)	0	0	
dv	Dhivehi	0	385308	div
dyu	Dyula	0	7373504	
dz	Dzongkha	1	418554	adp dzo
ee	Ewe	0	5320859	ee_ee ewe
efi	Efik	0	3314457	
egl	Emilian	0	30482	
egy	Egyptian (Ancient)	0	0	
eka	Ekajuk	0	0	
el	Greek	0	12249401	el_gr ell gr gre
elx	Elamite	0	0	
en	English	0	1728473503	base en_en en_us eng enp source
en@pirate	English (Pirate)	0	1728473503	pr
en_150	English (Europe)	0	279594417	
en_AU	English (Australia)	0	25697856	ena
en_CA	English (Canada)	0	33751476	
en_GB	English (United Kingdom)	0	67089918	eng_gb english_uk
en_IE	English (Ireland)	0	5128790	
en_IN	English (India)	0	267734700	
en_NZ	English (New Zealand)	0	5057985	
en_PH	English (Philippines)	0	75697280	
en_Shaw	English (Shavian)	0	0	
en_Shaw_GB	English (Shavian script, United Kingdom)	0	0	
en_Shaw_US	English (Shavian script, United States)	0	0	
en_US	English (United States)	0	328284480	enu us
en_XA	English (XA pseudolocale)	0	0	
en_ZA	English (South Africa)	0	18737206	
en_devel	English (Developer)	0	1728473503	
enm	English (Middle)	0	0	
eo	Esperanto	0	298	eo_xx epo
es	Spanish	0	507599381	es_es es_la esp spa
es@formal	Spanish (formal)	0	507599381	
es@informal	Spanish (informal)	0	507599381	
es_150	Spanish (Europe)	0	69107258	
es_419	Spanish (Latin America)	0	363966079	
es_AR	Spanish (Argentina)	0	46994400	
es_BO	Spanish (Bolivia)	0	7510320	
es_CL	Spanish (Chile)	0	18291406	
es_CO	Spanish (Colombia)	0	46117212	
es_CR	Spanish (Costa Rica)	0	5002301	
es_CU	Spanish (Cuba)	0	10966000	
es_DO	Spanish (Dominican Republic)	0	8436402	
es_EC	Spanish (Ecuador)	0	17577600	
es_MX	Spanish (Mexico)	0	108514200	mspanish
es_NI	Spanish (Nicaragua)	0	5208021	
es_PA	Spanish (Panama)	0	3084465	
es_PE	Spanish (Peru)	0	23798146	
es_PR	Spanish (Puerto Rico)	0	2626921	
es_SV	Spanish (El Salvador)	0	5899543	
es_US	Spanish (American)	0	32828448	
es_UY	Spanish (Uruguay)	0	3014290	
es_VE	Spanish (Venezuela)	0	25625246	
et	Estonian	0	853779	ekk est et_ee et_et
eu	Basque	0	1034494	baq es_eu eu_es eus
ewo	Ewondo	0	959949	
ext	Extremaduran	0	231673	
fa	Persian	2	89208445	fa_ir fas fas_ir per pes
fan	Fang (Equatorial Guinea)	0	915873	
fat	Fanti	0	2800000	
fbl	Bikol (West Albay)	0	2720371	bhk
ff	Fulah	2	8955864	fuc ful
ffm	Fulfulde (Maasina)	0	1693276	
fi	Finnish	0	5789395	fi_fi fin fin_fi
fil	Filipino	8	73198317	fil_fil
fj	Fijian	0	371128	fij
fo	Faroese	0	72984	fao fo_fo
fon	Fon	0	3674275	
fr	French	2	332956350	fr_fr fra fra_fr fre
fr@formal	French (formal)	2	332956350	fr_fo fr_form fr_fr_x_formal
fr@informal	French (informal)	2	332956350	fr_fr_x_informal
fr_AG	French (Antigua and Barbuda)	2	0	
fr_BE	French (Belgium)	2	4551488	frb
fr_CA	French (Canada)	2	11250492	
fr_CH	French (Switzerland)	2	3455622	
fr_LU	French (Luxembourg)	2	617553	
fr_SN	French (Senegal)	2	4900350	
frc	French (Louisiana)	2	28724	
frk	Frankish	0	0	
frm	French (Middle)	0	0	
fro	French (Old)	0	0	
frp	Franco-Provençal	2	64272	
frr	Frisian (Northern)	0	10094	
frs	Frisian (Eastern)	0	2018	
fuq	Fulfulde (Central-Eastern Niger)	0	1843996	
fur	Friulian	0	36578	
fuv	Fulfulde (Nigerian)	0	15862049	
fvr	Fur	0	1362617	
fy	Frisian	0	764213	fry
ga	Irish	13	1254049	ga_ie gle
gaa	Ga	0	968494	
gan_Hans	Gan (Simplified Han script)	1	24072680	
gan_Hant	Gan (Traditional Han script)	1	24072680	gan
gay	Gayo	0	337874	
gba	Gbaya (Central African Republic)	0	0	gya
gbm	Garhwali	0	3804651	
gd	Gaelic	14	75305	gae gd_gb gla
gez	Ge'ez	0	0	
gil	Gilbertese	0	69927	
gl	Galician	0	3323918	gl_es glg glg_es
glk	Gilaki	0	4065797	
gmh	High German (Middle)	0	0	
gn	Guarani	0	6095531	grn
goh	High German (Old)	0	0	
gom	Konkani (Goan)	0	3633900	
gon	Gondi	0	3381911	gno
gor	Gorontalo	0	1154404	
got	Gothic	0	0	
grb	Grebo	0	538287	gbo
grc	Greek (Ancient)	15	0	
gsw	Alemannic	0	8439155	
gu	Gujarati	2	65626182	gu_in guj prp
gu_IN	Gujarati (India)	2	63410850	
guc	Wayuu	0	133888	
gug	Guaraní (Paraguayan)	2	4850000	gug_py
gum	Guambiano	0	20782	
gun	Guaraní (Mbyá)	2	0	
gur	Farefare	0	1210618	
guw	Gun	2	1539000	
guz	Gusii	0	2854073	
gv	Manx	16	1660	glv gv_gb
gwi	Gwichʼin	0	310	
ha	Hausa	0	41875124	hau
hac	Gorani	0	0	
hai	Haida	0	90	hdn
hak_Hans	Hakka (Simplified Han script)	1	32568920	
hak_Hant	Hakka (Traditional Han script)	1	2595483	hak
hak_Latn	Hakka (Latin script)	1	32568920	
haw	Hawaiian	0	30434	
haz	Hazaragi	0	2367174	
he	Hebrew	17	9402620	he_he he_il heb iw iw_he iw_il
he_IL	Hebrew (Israel)	17	9402620	
hi	Hindi	2	580318483	hi_in hin
hi@hinglish	Hindi (Hinglish)	2	580318483	
hi_Latn	Hindi (Latin script)	2	1409130	
hif	Hindi (Fiji)	0	390160	hif_fj
hil	Hiligaynon	0	9935268	
hit	Hittite	0	0	
hmn	Hmong	0	4500000	hea
hnd	Hindko (Southern)	0	1034692	
hne	Chhattisgarhi	0	15500430	
hnj	Hmong Njua	1	815127	
hno	Hindko (Northern)	0	4290188	
ho	Hiri Motu	0	210970	hmo
hoc	Ho	0	1395038	
hoj	Hadothi	0	1155486	
hr	Croatian	5	6790797	hr_hr hrv scr
hrx	Hunsrik	0	0	
hsb	Upper Sorbian	12	13459	
hsn	Xiang	1	41065160	
ht	Haitian	0	9520659	hat ht_ht
hu	Hungarian	0	12313191	hu_hu hun
hup	Hupa	0	8	
hus	Huastec	0	150000	
hy	Armenian	2	5443504	arm hy_am hye
hz	Herero	0	255133	her
ia	Interlingua	0	136	ina
iba	Iban	0	864120	blg snb
ibb	Ibibio	0	3314457	
id	Indonesian	1	180519583	id_id in in_id ind
ie	Occidental	0	1	ile
ig	Igbo	1	30777110	ibo
ii	Nuosu	1	8496240	iii
ik	Inupiaq	0	7865	esk ipk
ilo	Iloko	0	11354592	
inh	Ingush	0	225313	
io	Ido	0	150	ido
is	Icelandic	18	364036	ice is_is isl
isv	Interslavic	0	7000	
it	Italian	0	70475318	it_it ita ita_it
it@formal	Italian (formal)	0	70475318	
it@informal	Italian (informal)	0	70475318	
it_CH	Italian (Switzerland)	0	1329085	its
iu	Inuktitut	19	42674	ike iku iu_ca
iu_Latn	Inuktitut (Latin script)	19	42674	
ja	Japanese	1	117608755	ja_ja ja_jp jp jp_jpn jpn jpn_jp
ja_KS	Japanese (Kansai)	1	0	
jam	Jamaican Patois	0	2682524	
jbo	Lojban	1	0	
jgo	Ngomba	0	105284	
jmc	Machame	0	499219	
jpr	Judeo-Persian	0	60000	
jrb	Judeo-Arabic	0	0	aju
jv	Javanese	1	96145857	jav jw
ka	Georgian	0	4324687	geo ka_ge kat
kaa	Karakalpak	0	1458023	
kab	Kabyle	2	3667755	kab_dz kab_kab
kac	Kachin	0	977960	
kaj	Jju	0	497168	
kam	Kamba (Kenya)	0	4426726	
kaw	Kawi	0	0	
kbd	Kabardian	0	1084265	
kcg	Tyap	0	220174	
kde	Makonde	1	1686552	
kea	Kabuverdianu	1	556022	
kek	Kekchí	0	1633483	
kfr	Kachhi	0	1056847	
kfy	Kumaoni	0	3100086	
kg	Kongo	0	1731045	kng kon
kha	Khasi	0	1127304	
khn	Khandesi	0	2113695	
kho	Khotanese	0	0	
ki	Gikuyu	0	9901888	kik
kj	Kwanyama	0	981280	kua
kk	Kazakh	0	12966988	kaz kk_cyrl kk_kz kz
kk_Latn	Kazakh (Latin script)	0	12966988	kk@latin
kkj	Kako	0	167216	
kl	Greenlandic	0	55678	kal kl_gl
kln	Kalenjin	0	4426726	spy
km	Khmer (Central)	1	15186693	khm km_kh
kmb	Kimbundu	0	9300525	smd
kmr	Kurdish (Kurmanji)	0	14600000	ku_iq
kmr_Latn	Kurdish (Kurmanji, Latin script)	0	14600000	
kn	Kannada	2	52137810	kan kn_in
ko	Korean	1	79278717	ko_ko ko_kr kor kor_kr
kok	Konkani	2	4509216	knn
kok_Latn	Konkani (Latin script)	2	4509216	
kos	Kosraean	1	7968	
kpe	Kpelle	0	1618925	xpe
kr	Kanuri	0	15000000	kau knc
krc	Karachay-Balkar	0	239395	
kri	Krio	0	8664997	
krl	Karelian	0	115473	
kru	Kurukh	0	2677347	kxl
ks	Kashmiri	0	5951564	kas ks_in
ksb	Shambala	0	1146855	
ksh	Colognian	20	252357	
ku	Kurdish	0	7214784	kur
kum	Kumyk	0	281642	
kut	Kutenai	0	100	
kv	Komi	0	253477	kom kpv
kw	Cornish	21	1985	cor kw_gb
kxm	Khmer (Northern)	0	1188657	
ky	Kyrgyz	0	2962608	kir ky_kg
la	Latin	0	820	la_la lat
lad	Ladino	0	122234	
lag	Langi	6	586920	
laj	Lango (Uganda)	0	1872754	
lam	Lamba	0	219000	
lb	Luxembourgish	0	449740	lb_lu ltz
lez	Lezghian	0	253477	
lfn	Lingua Franca Nova	0	200	
lg	Luganda	0	6406790	lug
li	Limburgish	0	977482	lim
lij	Ligurian	0	524298	
lir	English (Liberian)	0	4023565	
ljp	Lampung Api	0	1942777	
lki	Laki	0	671740	
lkt	Lakota	1	8207	
lld	Ladin	22	29263	
lmn	Lambadi	0	3804651	
lmo	Lombard	0	3838282	
ln	Lingala	2	3986653	lin
lo	Lao	1	5487956	lao lo_la
lol	Mongo	0	703958	
loz	Lozi	0	1143950	
lrc	Luri (Northern)	0	2112833	
lt	Lithuanian	23	2405298	lit lt_lt
ltg	Latgalian	24	160311	
lu	Luba-Katanga	0	2654269	lub
lua	Luba-Lulua	0	11078688	
lui	Luiseno	0	0	
lun	Lunda	0	395182	
luo	Luo (Kenya and Tanzania)	0	5708147	
lus	Lushai	0	500000	
luy	Luyia	0	6407104	bxk
luz	Luri (Southern)	0	1060642	
lv	Latvian	25	1098762	lav lv_lv lvs
lv@formal	Latvian (formal)	25	1098762	
lv@informal	Latvian (informal)	25	1098762	
lzh	Literary Chinese	1	0	
mad	Madurese	0	17738406	
mag	Magahi	0	16909560	
mai	Maithili	0	20333024	
mak	Makasar	0	2055402	
man	Mandingo	0	3948591	emk
mas	Masai	0	1943873	
mdf	Moksha	0	295724	
mdh	Maguindanaon	0	1419324	
mdr	Mandar	0	259037	
men	Mende (Sierra Leone)	0	2555116	
mer	Meru	0	2329856	
mey	Hassaniyya	0	9244449	
mfa	Malay (Pattani)	0	3496050	
mfe	Morisyen	2	1179450	
mg	Malagasy	2	26507430	mlg plt
mga	Irish (Middle)	0	0	
mgh	Makhuwa-Meetto	0	1500795	
mgo	Metaʼ	0	145540	
mh	Marshallese	0	59868	mah
mhr	Meadow Mari	0	482000	
mi	Maori	2	144513	mao mi_nz mri
mia	Miami	2	0	
mic	Mi'kmaq	0	9310	
min	Minangkabau	0	8446860	
miq	Mískito	0	180000	miq_ni
mis	Milang	1	0	
mjw	Karbi	0	0	
mk	Macedonian	26	1612846	mac mk_mk mkd
ml	Malayalam	0	45922589	mal ml_in
mn	Mongolian	0	3054074	drh khk mn_mn mon
mn_Cyrl	Mongolian (Cyrillic script)	0	3054074	
mn_Mong	Mongolian (Traditional script)	0	3681704	
mnc	Manchu	0	20	
mni	Manipuri	0	1568599	
mnk	Mandinka	20	1350000	
mnw	Mon	0	981772	
moe	Innu	0	11638	
moh	Mohawk	0	1590	
mos	Mossi	0	9216880	
mr	Marathi	0	98639100	mar mr_in
mrh	Mara	0	400000	
ms	Malay	1	36798159	may ms_my msa zsm
ms_Arab	Malay (Jawi)	1	3403837	
mt	Maltese	27	469730	mlt mt_mt
mtr	Mewari	0	1366856	
mus	Creek	0	4103	
mwk	Maninkakan (Kita)	0	1099530	
mwl	Mirandese	0	15000	
mwr	Marwari	0	16909560	dhd
mww	Hmong Daw	0	2179938	
mxc	Manyika	0	1114776	
my	Burmese	1	37171607	bur my_mm mya
my@Zawgyi	Burmese (Zawgyi)	1	37171607	qz_mm
myv	Erzya	0	436545	
myx	Masaaba	0	1429207	
mzn	Mazanderani	0	4419345	
na	Nauru	0	6924	nau
nah	Nahuatl	0	1925620	
nan_Hans	Minnan (Simplified Han script)	1	26904760	
nan_Hant	Minnan (Traditional Han script)	1	13473164	nan nan_hani
nan_Hntl_pehoeji	Minnan (Traditional Hàn-lô script, Pe̍h-ōe-jī)	1	0	nan_hntl
nan_Hntl_tailo	Minnan (Traditional Hàn-lô script, Tâi-lô)	1	0	
nan_Latn_pehoeji	Minnan (Pe̍h-ōe-jī)	1	26904760	nan_latn
nan_Latn_tailo	Minnan (Tâi-lô)	1	26904760	
nan_Qabs_pehoeji	Minnan (Simplified Hàn-lô script, Pe̍h-ōe-jī)	1	0	nan_qabs
nan_Qabs_tailo	Minnan (Simplified Hàn-lô script, Tâi-lô)	1	0	
nap	Neapolitan	0	591359	
naq	Nama	19	308402	
nb	Norwegian Bokmål	0	5511222	nb_nb nb_no no no_nb no_no nob nor norwegian
nd	Ndebele (Northern)	0	2058048	nde
ndc	Ndau	0	4347923	
nds	German (Low)	0	12049256	
ne	Nepali	0	21735356	ne_np nep np npi
new	Newari	0	1027039	
ng	Ndonga	0	588768	ndo
ngl	Lomwe	0	2267868	
nhn	Nahuatl (Central)	0	40000	nhn_mx
nia	Nias	0	825768	
nij	Ngaju	0	1041779	
niu	Niuean	0	1120	
nl	Dutch	0	32854898	dut nl_nl nld
nl@formal	Dutch (formal)	0	32854898	
nl@informal	Dutch (informal)	0	32854898	
nl_BE	Dutch (Belgium)	0	6587680	dutch_be flemish nlb
nn	Norwegian Nynorsk	0	1377432	nn_no nno
nnh	Ngiemboon	0	433525	
nod	Thai (Northern)	0	6712416	
noe	Nimadi	0	1831869	
nog	Nogai	0	87119	
non	Norse (Old)	0	0	
nqo	N’Ko	1	699310	
nr	Ndebele (Southern)	0	967081	nbl nr_za
nso	Pedi	2	5681604	
nuk	Nuu-chah-nulth	0	0	
nv	Navaho	0	170981	nav
nwc	Newari (Classical)	0	0	
ny	Nyanja	0	18855691	ny_no nya
nym	Nyamwezi	0	2226249	
nyn	Nyankole	0	3104829	
nyo	Nyoro	0	0	
nzi	Nzima	0	345891	
oc	Occitan	2	2055966	oc_fr oci
oc_ES	Aranese	0	4728	oc_aranes
oj	Ojibwe	0	27932	ojg oji
om	Oromo	0	38264430	gaz orm
or	Odia	0	45092160	or_in ori ory
os	Ossetian	0	558448	oss
osa	Osage	1	0	
ota	Turkish (Ottoman)	0	0	
otk	Kokturk	0	0	
otq	Otomi (Querétaro)	0	0	
ovd	Elfdalian	0	2000	
pa	Punjabi	2	219603179	pa_in pan pu
pa_PK	Punjabi (Pakistan)	2	176654800	lah pa_arab pa_arab_pk pnb
pag	Pangasinan	0	1655877	
pal	Pahlavi	0	0	
pam	Pampanga	0	2720371	
pap	Papiamento	0	216652	
pau	Palauan	0	16179	
pbb	Páez	0	140000	
pcm	Pidgin (Nigeria)	2	49716870	
pdt	Plautdietsch	0	42674	
peo	Persian (Old)	0	0	
phn	Phoenician	0	0	
pi	Pali	0	136	pli
pl	Polish	10	41500500	pl_pl plk pol
pl@formal	Polish (formal)	10	41500500	
pl@informal	Polish (informal)	10	41500500	
pms	Piemontese	0	670613	
pon	Pohnpeian	0	22908	
prg	Prussian	25	38	
pro	Provençal (Old)	0	0	
prs	Dari	0	9600000	fa_af
ps	Pashto	0	58062880	pbu pus
pt	Portuguese	2	249463918	por por_pt pt_pt ptg
pt@formal	Portuguese (formal)	2	249463918	
pt@informal	Portuguese (informal)	2	249463918	
pt_AO	Portuguese (Angola)	2	24925407	
pt_BR	Portuguese (Brazil)	2	200247320	bp braz_por por_br portuguese_br ptb
pt_BR@formal	Portuguese (Brazil, formal)	2	200247320	
pt_BR@informal	Portuguese (Brazil, informal)	2	200247320	
pt_PT	Portuguese (Portugal)	2	9798912	portuguese_portugal
pwn	Paiwan	0	96000	
qdt	Eskimo (Pacific Coast Alaskan)	2	0	
qpv	Viossa	1	0	
qtp	Gayón	2	0	
qu	Quechua	0	11942570	que quz
qu_EC	Quechua (Ecuador)	0	3112700	
quc	K'iche'	0	1569947	
qug	Quichua (Chimborazo Highland)	0	1043670	
qya	Quenya	0	0	
raj	Rajasthani	0	1409130	mup
rap	Rapanui	0	5000	
rar	Rarotongan	0	17500	
rcf	Réunion Creole	0	559184	
rej	Rejang	0	1295185	
rhg	Rohingya	0	1872054	
rif	Tarifit	0	2045261	
rkt	Rangpuri	0	17024564	
rm	Romansh	0	44302	roh
rmt	Domari	0	1679351	
rn	Rundi	0	8561763	run
rng	Ronga	0	1133934	
ro	Romanian	28	20043506	mol ro_ro ron rum
ro_MD	Moldavian	29	2267703	mo
rof	Rombo	0	499219	
rom	Romany	0	46000000	rmy
ru	Russian	5	201151468	ru_r ru_rr ru_ru rus
ru@formal	Russian (formal)	5	201151468	
ru@informal	Russian (informal)	5	201151468	
ru_UA	Russian (Ukraine)	5	16404428	
rue	Rusyn	0	427941	
rup	Macedo-Romanian	0	112960	
rw	Kinyarwanda	0	11963415	kin rw_rw
rwk	Rwa	0	148416	
sa	Sanskrit	15	16909	cls sa_in san
sad	Sandawe	0	40000	
sah	Yakut	1	450627	
sai	South American Indian (Other)	0	0	
sam	Samaritan Aramaic	0	0	
saq	Samburu	0	267933	
sas	Sasak	0	2731151	
sat	Santali	30	7750215	
sat_Deva	Santali (Devanagari script)	30	0	sat@deva
sat_Olck	Santali (Ol Chiki script)	30	0	sat@olchiki sat@olck
sc	Sardinian	0	1036403	sc_it src srd
sck	Sadri	0	2536434	
scn	Sicilian	22	499912	
sco	Scots	0	1711477	
sco-ulster	Scots (Ulster)	0	0	
sd	Sindhi	0	41518338	sd_in snd
sdh	Kurdish (Southern)	0	3977410	
se	Sami (Northern)	19	52950	sme
sef	Senoufo (Cebaara)	0	1289217	
seh	Sena	0	1534146	
sel	Selkup	0	600	
ses	Koyraboro Senni	1	747680	
sg	Sango	1	2768970	sag
sga	Irish (Old)	0	0	
sgn	Sign Languages	0	0	
sgs	Samogitian	31	500000	
shi	Tachelhit	32	3252721	
shn	Shan	0	3748858	
shs	Shuswap	0	0	shs_ca
si	Sinhala	2	14948168	lk si_lk sin
sid	Sidamo	0	4149250	
sjd	Sami (Kildin)	0	500	
sk	Slovak	9	6809719	sk_sk sky slk slo svk
skr	Saraiki	0	30283680	
sl	Slovenian	33	1967012	sl_si sl_sl slv
sm	Samoan	0	252638	smo
sma	Sami (Southern)	19	296	
smi	Sami	19	25000	
smj	Sami (Lule)	19	1482	
sml	Sama (Central)	0	0	
smn	Sami (Inari)	19	618	
sms	Sami (Skolt)	19	618	
sn	Shona	0	13891824	sna
snk	Soninke	0	1297445	
so	Somali	0	18630626	som
sog	Sogdian	0	0	
son	Songhai	1	0	
sou	Thai (Southern)	0	5593680	
sq	Albanian	0	6798943	alb als sq_al sqi
sr	Serbian	5	7189403	rs scc sr_cs sr_rs srp
sr@ijekavian	Serbian (Ijekavian)	5	7189403	sr@ije
sr@ijekavian_Latn	Serbian (Ijekavian, latin)	5	7189403	sr@ijekavianlatin
sr_Cyrl	Serbian (Cyrillic script)	5	7189403	sr@cyrillic sr_cyrl_rs sr_rs@cyrillic srb
sr_Latn	Serbian (Latin script)	5	7709589	hbs serbo_croatian sh sr@latin sr_latn_rs sr_rs@latin srl
srn	Sranan Tongo	0	439795	
srr	Serer	0	2073225	
ss	Swati	0	2345503	ss_za ssw
ssy	Saho	0	228382	
st	Sotho (Southern)	0	6957964	sot st_za
su	Sundanese	1	33787440	sun
suk	Sukuma	0	5869202	
sus	Susu	0	1538482	
sux	Sumerian	0	0	
sv	Swedish	0	13338376	sv_se sve swe swe_se
sv-FI	Swedish (Finland)	0	0	
sw	Swahili	0	194102079	swa swh
sw_CD	Swahili (Congo)	0	57701500	
sw_TZ	Swahili (Tanzania)	0	60715890	
swb	Maore Comorian	0	170720	
swg	Swabian	0	841191	
swv	Shekhawati	0	3945564	
sxu	Saxon (Upper)	0	2000000	
syc	Syriac (Classical)	0	575000	
syl	Sylheti	0	8434850	
syr	Syriac	0	230463	cld
szl	Silesian	10	503701	
szy	Sakizaya	0	958	ais
ta	Tamil	0	90608136	ta_in tam
ta_LK	Tamil (Sri Lanka)	0	3297390	
tay	Atayal	0	80000	
tcy	Tulu	0	2113695	
te	Telugu	0	101457360	te_in tel
tem	Timne	0	2371473	
teo	Teso	0	2353060	
ter	Tereno	0	16000	
tet	Tetum	0	889076	
tg	Tajik	2	10394100	tg_tj tgk
th	Thai	1	55936800	th_th tha
the	Tharu (Chitwania)	0	0	the_np
ti	Tigrinya	2	10929718	tir
tig	Tigre	0	1141912	
tiv	Tiv	0	3787952	
tk	Turkmen	0	7177805	tk_tm tuk
tkl	Tokelau	0	1136	
tl	Tagalog	8	23600000	tgl tl_ph
tlh	Klingon	1	9000	
tlh_Piqd	Klingon (pIqaD)	1	0	tlh-qaak tlh_qaak
tli	Tlingit	0	500	
tly	Talysh	0	1043719	
tmh	Tamashek	0	2042370	ttq
tn	Tswana	0	6529139	tn_za tsn
to	Tongan	1	99644	ton
tog	Tonga (Nyasa)	0	213280	
toi	Tonga (Zambia)	0	2287901	
tok	Toki Pona	1	1696	
tpi	Tok Pisin	1	7132802	
tr	Turkish	0	82419542	tr_tr trk tur
trv	Taroko	0	4719	
ts	Tsonga	0	5313550	ts_za tso
tsg	Tausug	0	1301047	
tsi	Tsimshian	0	0	
tsj	Tshangla	0	132681	
tt	Tatar	1	1971493	tat tt_ru
tt@iqtelif	Tatar (IQTElif)	1	1971493	
tts	Thai (Northeastern)	0	16781040	
tum	Tumbuka	0	2368893	
tvl	Tuvalu	0	9973	
tw	Twi	0	3000000	twi
ty	Tahitian	0	94097	tah
tyv	Tuvinian	0	183067	
tzj	Tz'utujil	0	111356	
tzl	Talossan	0	0	
tzm	Tamazight (Central Atlas)	34	3663984	
udm	Udmurt	0	535119	
ug	Uyghur	0	7791229	ug_cn uig
uga	Ugaritic	0	0	
uk	Ukrainian	5	24080585	ua ua_ua uk_ua uk_uk ukr
umb	Umbundu	0	10788609	
und	Undetermined	0	302	
unm	Unami	0	0	unm_us
unr	Mundari	0	1324582	
ur	Urdu	0	313093257	ur_pk ur_ur urd
ur_IN	Urdu (India)	0	70456500	
ur_PK	Urdu (Pakistan)	0	239745800	pk
uz	Uzbek	0	31561502	uz@cyrillic uz_uz uzb uzn
uz_Latn	Uzbek (Latin script)	0	31561502	uz@latin uz@latn
vai	Vai	0	206615	
ve	Venda	0	1499942	ve_za ven
vec	Venetian	22	1381573	
vi	Vietnamese	1	92370781	vi_vn vie vn
vls	Flemish (West)	0	1197760	
vmf	Mainfränkisch	0	5047146	
vmw	Makhuwa	0	4335630	
vo	Volapük	0	20	vol
vot	Votic	0	62	
vro	Võro	0	68046	
vun	Vunjo	0	499219	
wa	Walloon	2	694700	wa_be wln
wae	German (Walser)	0	11035	
wal	Wolaytta	0	2133900	
war	Waray (Philippines)	0	3434688	
was	Washo	0	20	
wbq	Waddar	0	2536434	
wbr	Wagdi	0	2113695	
wen	Sorbian	5	60000	
wep	Westphalien	0	0	
wo	Wolof	1	13203204	wol
wtm	Mewati	0	6481998	
wuu_Hans	Wu (Simplified Han script)	1	84962400	
wuu_Hant	Wu (Traditional Han script)	1	84962400	wuu
xal	Kalmyk	0	431800	
xh	Xhosa	0	10901720	xh_za xho
xnr	Kangri	0	2254608	
xog	Soga	0	2611999	
yao	Yao	0	800424	
yap	Yapese	0	6573	
yi	Yiddish	0	916209	ji ydd yi_us yid
yo	Yoruba	1	31761815	yor
yua	Yucateco	0	875958	
yue_Hans	Cantonese (Simplified Han script)	1	73634080	
yue_Hant	Cantonese (Traditional Han script)	1	81532220	yue
yuw	Yau (Morobe Province)	0	0	yuw_pg
za	Zhuang	0	4389724	zha zyb
zap	Zapotec	0	777000	zai
zbl	Blissymbols	0	0	
zen	Zenaga	0	200	
zgh	Tamazight (Standard Moroccan)	0	8225272	
zh_Hans	Chinese (Simplified Han script)	1	1286444445	chi chinese chinese_chs chinese_zh chs cmn cmn_hans cn schinese zh zh_chs zh_cmn_hans zh_cn zh_hans_cn zh_simplified zhcn
zh_Hans_SG	Chinese (Simplified Han script, Singapore)	1	4641914	zh_sg
zh_Hant	Chinese (Traditional Han script)	1	39078482	cht cmn_hant tchinese zh_cht zh_cmn_hant zh_hant@zh zh_hant_tw zh_traditional zh_tw zho zhtw
zh_Hant_HK	Chinese (Traditional Han script, Hong Kong)	1	6932929	zh_hk
zh_Latn	Chinese (Hanyu Pinyin)	1	0	zh_latn@pinyin zh_latn_pinyin
zu	Zulu	2	14969090	zu_za zul
zun	Zuni	0	9650	
zza	Zaza	0	1177672	diq`;
