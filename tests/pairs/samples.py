"""The first lines of a file of each release."""

FIRST_LINES = {
    "qqp": (
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
        '0\t1\t2\t"What is ""it""?"\tWhat?\t1\n'
        '1\t3\t4\t"Two\n'
        'lines"\tOne\t0\n'
    ),
    "qqp-kaggle": (
        '"id","qid1","qid2","question1","question2","is_duplicate"\n"0","1","2","Is it, ""now""?","When?","0"\n'
    ),
    "qqp-glue": (
        "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
        '0\t1\t2\t"It" is what?\tWhat?\t1\n'
        '1\t3\t4\tWhy "so"\t"So\t0\n'
    ),
    "mrpc": ('\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t70\t71\t"Yes.\tHe said, "yes".\r\n'),
    "paws": (',sentence1,sentence2,label\n0,"A , b","B , a",0\n1,C d,"D ""c""",1\n'),
    "sick": (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        "1\ta\tb\t4.5\tNEUTRAL\n"
        "2\tc\td\t3.499\tNEUTRAL\n"
        "3\te\tf\t3.5\tENTAILMENT\n"
    ),
    "jsick": (
        "pair_ID\tdata\tsentence_A_En\tsentence_B_En\tentailment_label_En\trelatedness_score_En\tcorr_ent"
        "ailment_labelAB_En\tcorr_entailment_labelBA_En\tsentence_A_Ja\tsentence_B_Ja\tentailment_label"
        "_Ja\trelatedness_score_Ja\timage_ID\toriginal_caption\tsemtag_short\tsemtag_long\n"
        "1\ttest\tA\tB\tneutral\t1\t\t\tあ\tい\tneutral\t4.7\t\t\t\t\n"
        "2\t\t\t\t\t\t\t\tう\tえ\tentailment\t\t\t\t\t\n"
        "3\t\t\t\t\t\t\t\tお\tか\tcontradiction\t\t\t\t\t\n"
        "4\t\t\t\t\t\t\t\tき\tく\tneutral\t\t\t\t\t\n"
    ),
    "mqp": ('1,Is it safe?,Can it harm?,1\r\n1,Is it safe?,"Who, then?",0\r\n'),
    "wikiqa": (
        "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
        'Q1\twhy?\tD1\tWhy\tD1-0\t"Because" is no reason\t0\n'
    ),
    "paragraph": ('question1\tquestion2\tis_duplicate\n"a ""b"""\tc\t1\n'),
}
