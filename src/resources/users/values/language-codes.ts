// The codes of the languages that a new installation of Weblate has. Languages aren't mirrored otherwise: a membership
// may be limited to some, and a code that no language has is rejected (transcript membership__languages).

/** Case counts. */
export const languageCodes: ReadonlySet<string> = new Set(
  `
  aa ab abr ace ach ada ady ae aeb af afh agr aii ain ak akk ale aln alt am ami an ang anp apc apd ar ar_BH ar_DZ
  ar_EG ar_KW ar_LY ar_Latn ar_MA ar_SA ar_XB ar_YE arc arn arp arq ars arw arz as asa ast av avk awa ay ayc az azb
  ba bal ban bar bas bbc bci be be_Latn bej bem ber bew bez bg bgc bgn bh bhb bhi bho bi bik bin bjj bjn bla blo bm
  bn bn_BD bn_IN bnt bo bo_CN bqi br bra brb brh brx bs bs_Cyrl bs_Latn bua bug bum byn ca ca@valencia ca_AD cad cak
  car cdo_Hans cdo_Hant cdo_Latn ce ceb cgg ch chb chg chk chm chn cho chp chr chy ckb ckb_IQ ckb_IR cnr cnr_Cyrl co
  cop cpe cpf cpp cpx_Hans cpx_Hant cpx_Latn cr crh crp cs csb csw cu cv cy da dak dar dcc de de@formal de@informal
  de_1901 de_AT de_CH de_LU del den dgr din dje dnj dnk doi dru dry dsb dua dum dv dyu dz ee efi egl egy eka el elx
  en en@pirate en_150 en_AU en_CA en_GB en_IE en_IN en_NZ en_PH en_Shaw en_Shaw_GB en_Shaw_US en_US en_XA en_ZA
  en_devel enm eo es es@formal es@informal es_150 es_419 es_AR es_BO es_CL es_CO es_CR es_CU es_DO es_EC es_MX es_NI
  es_PA es_PE es_PR es_SV es_US es_UY es_VE et eu ewo ext fa fan fat fbl ff ffm fi fil fj fo fon fr fr@formal
  fr@informal fr_AG fr_BE fr_CA fr_CH fr_LU fr_SN frc frk frm fro frp frr frs fuq fur fuv fvr fy ga gaa gan_Hans
  gan_Hant gay gba gbm gd gez gil gl glk gmh gn goh gom gon gor got grb grc gsw gu gu_IN guc gug gum gun gur guw guz
  gv gwi ha hac hai hak_Hans hak_Hant hak_Latn haw haz he he_IL hi hi@hinglish hi_Latn hif hil hit hmn hnd hne hnj
  hno ho hoc hoj hr hrx hsb hsn ht hu hup hus hy hz ia iba ibb id ie ig ii ik ilo inh io is isv it it@formal
  it@informal it_CH iu iu_Latn ja ja_KS jam jbo jgo jmc jpr jrb jv ka kaa kab kac kaj kam kaw kbd kcg kde kea kek kfr
  kfy kg kha khn kho ki kj kk kk_Latn kkj kl kln km kmb kmr kmr_Latn kn ko kok kok_Latn kos kpe kr krc kri krl kru ks
  ksb ksh ku kum kut kv kw kxm ky la lad lag laj lam lb lez lfn lg li lij lir ljp lki lkt lld lmn lmo ln lo lol loz
  lrc lt ltg lu lua lui lun luo lus luy luz lv lv@formal lv@informal lzh mad mag mai mak man mas mdf mdh mdr men mer
  mey mfa mfe mg mga mgh mgo mh mhr mi mia mic min miq mis mjw mk ml mn mn_Cyrl mn_Mong mnc mni mnk mnw moe moh mos
  mr mrh ms ms_Arab mt mtr mus mwk mwl mwr mww mxc my my@Zawgyi myv myx mzn na nah nan_Hans nan_Hant nan_Hntl_pehoeji
  nan_Hntl_tailo nan_Latn_pehoeji nan_Latn_tailo nan_Qabs_pehoeji nan_Qabs_tailo nap naq nb nd ndc nds ne new ng ngl
  nhn nia nij niu nl nl@formal nl@informal nl_BE nn nnh nod noe nog non nqo nr nso nuk nv nwc ny nym nyn nyo nzi oc
  oc_ES oj om or os osa ota otk otq ovd pa pa_PK pag pal pam pap pau pbb pcm pdt peo phn pi pl pl@formal pl@informal
  pms pon prg pro prs ps pt pt@formal pt@informal pt_AO pt_BR pt_BR@formal pt_BR@informal pt_PT pwn qdt qpv qtp qu
  qu_EC quc qug qya raj rap rar rcf rej rhg rif rkt rm rmt rn rng ro ro_MD rof rom ru ru@formal ru@informal ru_UA rue
  rup rw rwk sa sad sah sai sam saq sas sat sat_Deva sat_Olck sc sck scn sco sco-ulster sd sdh se sef seh sel ses sg
  sga sgn sgs shi shn shs si sid sjd sk skr sl sm sma smi smj sml smn sms sn snk so sog son sou sq sr sr@ijekavian
  sr@ijekavian_Latn sr_Cyrl sr_Latn srn srr ss ssy st su suk sus sux sv sv-FI sw sw_CD sw_TZ swb swg swv sxu syc syl
  syr szl szy ta ta_LK tay tcy te tem teo ter tet tg th the ti tig tiv tk tkl tl tlh tlh_Piqd tli tly tmh tn to tog
  toi tok tpi tr trv ts tsg tsi tsj tt tt@iqtelif tts tum tvl tw ty tyv tzj tzl tzm udm ug uga uk umb und unm unr ur
  ur_IN ur_PK uz uz_Latn vai ve vec vi vls vmf vmw vo vot vro vun wa wae wal war was wbq wbr wen wep wo wtm wuu_Hans
  wuu_Hant xal xh xnr xog yao yap yi yo yua yue_Hans yue_Hant yuw za zap zbl zen zgh zh_Hans zh_Hans_SG zh_Hant
  zh_Hant_HK zh_Latn zu zun zza`
    .trim()
    .split(/\s+/),
);
