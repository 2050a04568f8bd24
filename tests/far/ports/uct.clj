;; The workshop's uct in Clojure, which follows a trace of Shut the Box: docs/traces.md.
;;
;;   clojure uct.clj trace.jsonl
;;
;; A box is a sorted set of levers. The tree is a map from boxes to {:win 3, :loss 97}.

(require '[clojure.edn :as edn] '[clojure.string :as string])

(def start-box (sorted-set 1 2 3 4 5 6 7 8 9))
(defn win? [box] (empty? box))

;; The draws of one dive. A draw from one thing takes none. After a wrong draw the dive goes on, so
;; that its path can be compared.

(def draws (atom []))
(def wrong (atom nil))

(defn pick [things]
  (let [n (count things), [i of] (or (first @draws) [0 "no more"])]
    (if (= 1 n)
      (first things)
      (do (swap! draws rest)
          (when (not= of n)
            (compare-and-set! wrong nil (str "it draws from " n ", and the trace from " of)))
          (nth things (mod i n))))))

;; Tasks 2 and 8

(defn dice-roll [] (pick (for [a (range 1 7) b (range 1 7)] (+ a b))))

(defn power [s]
  (reduce (fn [p f] (concat p (map #(conj % f) p))) [[]] s))

(def lever-combinations
  (group-by #(reduce + %) (power start-box)))

(defn possible-moves [box roll]
  (for [levers (lever-combinations roll) :when (every? box levers)]
    (apply disj box levers)))

(defn play-game [box]
  (if (win? box)
    :win
    (let [moves (possible-moves box (dice-roll))]
      (if (empty? moves) :loss (play-game (pick moves))))))

;; Task 11

(defn ucb [{:keys [win loss] :or {win 0 loss 0}}]
  (let [n (+ win loss)]
    (cond (zero? n) ##Inf
          (zero? win) (/ 3.0 n)
          :else (/ (+ win (* 2 (Math/sqrt (/ (double (* win loss)) n)))) n))))

(defn best-move
  "The first move with the highest bound. `max-key` takes the last one."
  [tree moves]
  (reduce (fn [a b] (if (> (ucb (tree b)) (ucb (tree a))) b a)) moves))

(defn add-result [tree box result]
  [(update-in tree [box result] (fnil inc 0)) result])

(defn uct [tree box]
  (if (or (not (tree box)) (win? box))
    (add-result tree box (play-game box))
    (let [moves (possible-moves box (dice-roll))]
      (if (empty? moves)
        (add-result tree box :loss)
        (let [[tree result] (uct tree (best-move tree moves))]
          (add-result tree box result))))))

;; The trace

(defn read-json
  "Colons are all that JSON of these files has more than EDN."
  [line]
  (edn/read-string (string/replace line "\":" "\" ")))

(defn sums [{:keys [win loss] :or {win 0 loss 0}}]
  [(+ win loss) [win loss]])

(defn check [what right got]
  (when (not= right got)
    (throw (ex-info (str what " must be " (pr-str right) "; got " (pr-str got)) {}))))

(defn changed [before after]
  (sort-by (comp - count) (filter #(not= (before %) (after %)) (keys after))))

(defn check-tree [tree rows]
  (check "the number of records" (count rows) (count tree))
  (doseq [[box n scores] rows]
    (check (str "the record of " box) [n scores] (sums (tree (set box)))))
  tree)

(defn check-dive [tree line]
  (reset! draws (line "draws"))
  (reset! wrong nil)
  (let [[grown result] (uct tree start-box)]
    (check "the path" (map seq (line "path")) (map seq (changed tree grown)))
    (when @wrong (throw (ex-info @wrong {})))
    (check "the result" (line "result") (if (= result :win) [1 0] [0 1]))
    (check "the rest of the draws" [] @draws)
    grown))

(defn follow [tree line]
  (if-let [rows (line "tree")] (check-tree tree rows) (check-dive tree line)))

(defn place [line]
  (if (line "tree") (str "after dive " (line "after")) (str "dive " (line "dive"))))

(let [lines (string/split-lines (slurp (first *command-line-args*)))
      [header & lines] (map read-json lines)]
  (check "the bound" {"z" 2} (header "bound"))
  (check "the first box" (seq start-box) (header "start"))
  (let [step (fn [tree line]
               (try (follow tree line)
                    (catch clojure.lang.ExceptionInfo error
                      (println (str (place line) ": " (.getMessage error)))
                      (System/exit 1))))
        tree (reduce step {} lines)]
    (println (str (header "dives") " dives, " (count tree) " records: all right"))))
